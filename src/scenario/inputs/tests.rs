use super::*;
use crate::scenario::spans::{Path, Source, read};

fn tree(text: &str) -> Node {
    read(&Source::new("test.ron", text, None)).0
}

fn value(root: &Node, unit: usize) -> f64 {
    let units = Path::ROOT.field("units");
    match &root.find(&units.index(unit).field("men").field("value")).form {
        Form::Number(written) => number(written).unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

const A: &str = r#"(id: "a", men: Ours(value: 100, low: 50, high: 150, why: "x"))"#;
const B: &str = r#"(id: "b", men: From(80, "text"))"#;

#[test]
fn drawn_in_range_alike_for_a_seed_and_unlike_for_others() {
    let mut seen = Vec::new();
    for seed in 0..200 {
        let mut one = tree(&format!("(units: [{A}, {B}])"));
        // A new entry before it moves no draw.
        let mut two = tree(&format!("(units: [{B}, {A}])"));
        draw(&mut one, seed, "s");
        draw(&mut two, seed, "s");
        let v = value(&one, 0);
        assert!((50.0..=150.0).contains(&v));
        assert!((v - value(&two, 1)).abs() < 1e-12);
        seen.push(v);
    }
    let mean = seen.iter().sum::<f64>() / 200.0;
    assert!((90.0..110.0).contains(&mean), "{mean}");
    assert!(seen.iter().any(|v| *v < 60.0) && seen.iter().any(|v| *v > 140.0));
}

#[test]
fn figures_with_a_source_and_figures_at_fault_stay() {
    let mut root = tree(
        r#"(units: [(men: Ours(value: 200, low: 50, high: 150, why: "x")), (men: From(80, "text"))])"#,
    );
    draw(&mut root, 1, "s");
    assert!((value(&root, 0) - 200.0).abs() < 1e-12);
    assert!(root.same(&tree(r#"(units: [(men: Ours(value: 200, low: 50, high: 150, why: "x")), (men: From(80, "text"))])"#)));
}
