//! A breach of every rule, in made-up files, one finding each.

use super::{BANNED, File, NAMES, PRINTS, Rule, TOO_LONG};

/// A room as it should be.
pub const ROOM: &str = "//! A room.\npub fn install() {}\npub fn digest() {}\n";

pub fn breached() -> Vec<(Rule, Vec<File>)> {
    let one = |rule, path: &str, text: &str| (rule, vec![File::new(path, text)]);
    let room = |body: &str| format!("{ROOM}{body}");
    let mut cases = vec![
        // What a part may not see of another.
        one(Rule::Import, "src/core/ids.rs", "use crate::scenario::site::Site;"),
        one(Rule::Import, "src/orders/legality.rs", "use crate::sim::board::Places;"),
        one(Rule::Import, "src/scenario/load.rs", "fn f() { crate::sim::Battle::new(); }"),
        one(Rule::Import, "src/sim/mod.rs", "use crate::{core::ids::SideId, view::frame::Frame};"),
        one(Rule::Import, "src/sim/muster.rs", "use super::super::ai::doctrine;"),
        one(Rule::Import, "src/view/frame.rs", "use crate::sim::rooms::heart::State;"),
        one(Rule::Import, "src/view/frame.rs", "use crate::sim::phases::Pulse;"),
        one(Rule::Import, "src/replay/verify.rs", "use crate::front::map;"),
        one(Rule::Import, "src/ai/doctrine.rs", "use crate::sim::truth::Truth;"),
        one(Rule::Import, "src/study/run.rs", "use crate::front::theme;"),
        one(Rule::Import, "src/front/map.rs", "use crate::sim::board::Places as Where;"),
        one(Rule::Import, "src/cli/run.rs", "use crate::sim::muster;"),
        one(Rule::Import, "src/main.rs", "fn main() { nine_gates::study::run::all(); }"),
        one(Rule::UnknownPart, "src/magic/mod.rs", "//! A new part."),
        // Crates at home elsewhere.
        one(Rule::Crate, "src/view/frame.rs", "use bevy_ecs::prelude::World;"),
        one(Rule::Crate, "src/sim/mod.rs", "use bevy::prelude::Color;"),
        one(Rule::Crate, "src/study/report.rs", "use bevy_egui::egui;"),
        one(Rule::Crate, "src/scenario/load.rs", "fn f() { egui::Pos2::ZERO; }"),
        one(Rule::Crate, "src/front/map.rs", "use clap::Parser;"),
        one(Rule::Crate, "src/sim/field.rs", "use rayon::prelude::Scope;"),
        // Who prints.
        one(Rule::Prints, "src/front/mod.rs", "fn f() { eprintln!(\"x\"); }"),
        one(Rule::Prints, "src/study/run.rs", "fn f() { std::io::stdout(); }"),
        // Rooms.
        one(Rule::RoomCharter, "src/sim/rooms/heart.rs", "pub fn install() {}\npub fn digest() {}"),
        one(Rule::RoomShape, "src/sim/rooms/heart.rs", "//! No digest.\npub fn install() {}"),
        one(Rule::RoomShape, "src/sim/rooms/heart.rs", "//! No install.\npub fn digest() {}"),
        (
            Rule::RoomImportsRoom,
            vec![
                File::new("src/sim/rooms/heart.rs", &room("use crate::sim::rooms::shot::Shot;")),
                File::new("src/sim/rooms/shot.rs", ROOM),
            ],
        ),
        (
            Rule::RoomImportsRoom,
            vec![
                File::new("src/sim/rooms/heart.rs", &room("use super::{shot::Shot};")),
                File::new("src/sim/rooms/shot.rs", ROOM),
            ],
        ),
        (
            Rule::RoomImportsRoom,
            vec![
                File::new(
                    "src/sim/rooms/heart/news.rs",
                    "//! A part.\nuse super::super::shot::Shot;",
                ),
                File::new("src/sim/rooms/shot.rs", ROOM),
            ],
        ),
        // Lengths.
        one(Rule::Length, "src/core/dice.rs", &"// a line\n".repeat(TOO_LONG + 1)),
        // A number's suffix, code after a test module, and names in comments count too.
        one(Rule::Word, "src/sim/field.rs", "const X: f64 = (1.5f32) as f64;"),
        one(
            Rule::Word,
            "src/sim/field.rs",
            "#[cfg(test)] mod tests { use x::Instant; }\ntype T = f32;",
        ),
        one(Rule::Name, "src/core/ids.rs", "// as in the battle of LuoYang"),
        one(Rule::Name, "src/front/map.rs", "const ID: &str = \"guan_yu_sortie\";"),
    ];
    for (parts, words, _) in BANNED {
        for part in *parts {
            for word in *words {
                let path = format!("src/{part}/mod.rs");
                cases.push(one(Rule::Word, &path, &format!("fn f(x: {word}) {{}}")));
            }
        }
    }
    for print in PRINTS {
        cases.push(one(Rule::Prints, "src/sim/mod.rs", &format!("fn f() {{ {print}!(\"x\"); }}")));
    }
    for name in NAMES {
        let also = NAMES.iter().filter(|other| name.contains(*other)).count();
        if also == 1 {
            cases.push(one(Rule::Name, "src/view/mod.rs", &format!("const N: &str = \"{name}\";")));
        }
    }
    cases
}
