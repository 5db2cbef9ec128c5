//! The codes of findings, with a paragraph each for `check --explain`.
//!
//! E is an error: the battle cannot be fought. W is a warning: it can, but
//! somebody should look. The first two digits say what is at fault: 01 reading,
//! 02 shape, 03 names, 04 figures, 05 maps, 06 battles, 07 orders, 08 records,
//! 09 patches.

/// Every code that the program can report.
pub const CODES: &[(&str, &str)] = &[
    (
        "E0101",
        "A file or folder could not be read: it is missing, is no text in UTF-8, is larger than 8 MiB, or may not be opened.",
    ),
    (
        "E0102",
        "Something stands here that the format does not know: a mark that has no meaning, a full-width bracket or comma, a `,` too many, a field without a value, or text after the end. Values are numbers, \"strings\", words, (groups), [lists] and {maps}.",
    ),
    (
        "E0103",
        "A `,` between two entries or a `:` after a field's name is missing. The place shown is where it should stand.",
    ),
    (
        "E0104",
        "A bracket, string or comment is opened and never closed, or a closing bracket has no opening one. Where both ends are known, both are shown.",
    ),
    (
        "E0105",
        "Brackets stand more than 64 deep within each other. No file needs that; most likely closing brackets are missing above.",
    ),
    (
        "E0106",
        "This looks like a number and is none. Numbers are written 12, -3.5, 1e6, 1_000, 0xff.",
    ),
    (
        "E0107",
        "A backslash in a string begins an escape, and this one is unknown. Known are \\n, \\t, \\r, \\0, \\\\, \\\", \\' and \\u{...}.",
    ),
    ("E0108", "The list of statements is no valid JSON, or an entry of it lacks a field."),
    (
        "E0201",
        "The field is not one of those that belong here. Unknown fields are refused, so that a slip of the pen does not vanish silently.",
    ),
    ("E0202", "A field that must be given is missing. The place shown is the thing that lacks it."),
    (
        "E0203",
        "A word is not one of those that fit here, or a name before brackets is another than the one wanted.",
    ),
    (
        "E0204",
        "A value of another sort is wanted here: a number, a string in quotes, a bare word, a list.",
    ),
    (
        "E0205",
        "The same field is given twice in one thing. Only one of them can count, so neither is taken silently.",
    ),
    (
        "E0206",
        "A whole number is wanted here, or the number is too large or too small for its field.",
    ),
    (
        "E0207",
        "Infinite numbers and NaN are refused everywhere: nothing can be reckoned with them.",
    ),
    (
        "E0208",
        "Too many or too few values stand in these brackets, or one has a name where they go by position.",
    ),
    ("E0209", "Values in these brackets need their field's name before them."),
    (
        "E0210",
        "Every figure says where it comes from: `From(value, \"source\")` for one that is found somewhere, `Ours(value: ..., low: ..., high: ..., why: \"...\")` for one that we chose.",
    ),
    (
        "E0301",
        "Nothing of that name exists, or it lies outside the battle's window. Names are looked up in the rules, the map and the battle, mods included.",
    ),
    ("E0302", "Two things of one sort have the same id, so nothing could tell them apart."),
    ("E0303", "An id must not be empty."),
    ("E0305", "There is no battle with that id, and no file with that path."),
    (
        "E0401",
        "Something that every battle needs is in no rules file: the gaits of foot and horse, the laws, one of the eight shapes, or any ground.",
    ),
    ("E0402", "The number is out of the range that makes sense for its field."),
    ("E0403", "A source or a reason is empty. Every figure and feature says where it comes from."),
    ("E0404", "A figure's value lies outside its own range, or the range is upside down."),
    (
        "E0405",
        "A weapon cannot do what it is carried for: an engine or missile weapon that does not shoot, a hand weapon that strikes no blow, or one that does neither.",
    ),
    (
        "E0406",
        "A full company, halted, takes more than the 100 square metres of a 10 m cell. Make the company smaller; laws are studied at 10 m.",
    ),
    (
        "E0501",
        "The feature has no shape that can be drawn: too few points, far too many, or both a line and an area.",
    ),
    (
        "E0502",
        "A gate stands within the thickness of the wall that it names. Put its `at` on the wall's line.",
    ),
    ("E0503", "The passages of a gate are together wider than the wall is long."),
    (
        "E0504",
        "A ramp joins the ground inside a wall with the wall's walk. This one reaches no wall, no walk, or no open ground.",
    ),
    ("E0505", "The feature could not be drawn in the battle's window."),
    ("E0506", "The gate cannot be passed: there is no open ground before or behind it."),
    ("E0601", "The battle lacks something that every battle has: two sides, a unit, an end."),
    (
        "E0602",
        "A post needs a holder or a place to look from, and its chain of superiors must come to an end.",
    ),
    ("E0603", "A unit must face a point other than the one it stands on."),
    ("E0604", "A gate of the battle must be a gate on the map."),
    ("E0605", "The window, cell, pulse or clock makes no battle that can be set up."),
    (
        "E0606",
        "Two things that belong together are of different sides: a unit and its corps, a corps and its post, a gate's keeper and its crew, a post and its holder.",
    ),
    ("E0607", "The unit is set down outside the battle's window."),
    (
        "E0608",
        "The unit is set down where nobody can stand: in water, in houses, in a wall, on a rampart that is not there, or on horseback on a rampart.",
    ),
    (
        "E0609",
        "More men are set down here than there is room for, even in a jam. Spread them, or make the front broader.",
    ),
    ("E0610", "There are more men, companies, engines or other things than a battle can have."),
    ("E0611", "Nobody of that side can get to the area, even with every gate open."),
    (
        "E0701",
        "The order is for nobody, does nothing, names no refuge, or has a `then` without an `until`.",
    ),
    (
        "E0702",
        "The order is for a work that nobody keeps. Name it under `gates`, or give the post in `by`.",
    ),
    ("E0703", "A time is written \"mm:ss\" from the battle's start, the start itself \"hh:mm\"."),
    (
        "E0704",
        "The condition can never come true: it asks for more men than there are, a share over 100 percent, or a time after the battle's end.",
    ),
    ("E0706", "A post gives orders to its own side only."),
    (
        "E0707",
        "Nobody of those named can do this: only the keeper of a gate opens or shuts it, and only those with missiles or engines shoot.",
    ),
    ("E0801", "A battle that measures statements names the document that they come from."),
    ("E0802", "A statement that the battle should measure has no measure in the record."),
    ("E0803", "The list of statements has no such statement, or it has no such part."),
    (
        "E0805",
        "Lines of a document are written L9, a sentence L9.3, a stretch L3-L4; several with commas.",
    ),
    (
        "E0901",
        "A patch is written `Patch(target: Rules | Map(\"id\") | Scenario(\"id\") | Record(\"document\"), set: {\"field\": value}, entries: [...], remove: [\"id\"])`.",
    ),
    (
        "E0902",
        "The battle does not use the map, scenario or record that the patch changes, so the patch would have no effect.",
    ),
    (
        "E0903",
        "Everything that the patch says is so already. A patch that changes nothing is most likely a slip.",
    ),
    (
        "E0904",
        "There is no entry with that id, or more than one. A new entry must be complete and say its sort before the brackets.",
    ),
    (
        "E1001",
        "A replay file cannot be read as one, is of another format, or was changed after it was written. `verify` fights it again and names the first turn and room that differ.",
    ),
    (
        "E1103",
        "A file of words is not written as Fluent files are: `key = words`, further lines indented.",
    ),
    ("W0304", "A name has text in one language only. Players of the other see nothing."),
    (
        "W0305",
        "Something is defined and never used. Of arms only a mod is told so: the game's own rules may hold some for battles to come.",
    ),
    (
        "W0704",
        "The condition is always true, so it could be left out; most likely something else was meant.",
    ),
    (
        "W0804",
        "The order waits for the very number that an outcome statement measures. Then the outcome would be an order and not a result.",
    ),
    (
        "W0906",
        "A mod has an entry with the id of another's, so that it changes it. If that is meant, list the id (or the field of the rules) under `overrides` in its mod.ron.",
    ),
    (
        "W1101",
        "A mod's folder has no mod.ron: `Mod(name: (en: ..., zh: ...), version: \"1\", game: \"0.1\")`, with `about` and `overrides` if wanted.",
    ),
    (
        "W1102",
        "The mod was made for another version of the game, by the first two parts of the number. It may not do what it did there.",
    ),
];
