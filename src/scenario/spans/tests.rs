use super::*;
use crate::scenario::findings::Finding;

fn read_text(text: &str) -> (Node, Vec<Finding>) {
    read(&Source::new("test.ron", text, None))
}

fn places(findings: &[Finding]) -> Vec<(&'static str, u32, u32)> {
    findings.iter().map(|f| (f.code, f.line, f.column)).collect()
}

#[test]
fn columns_count_characters_not_bytes() {
    let (root, faults) = read_text("// 注释\n(name: \"某将\", men: 3000)");
    assert!(faults.is_empty());
    let men = &root.find(&Path::ROOT.field("men")).span;
    assert_eq!(men.source.line_column(men.from), (2, 19));
}

#[test]
fn paths_lead_through_options_variants_and_tuples() {
    let text = r#"(orders: [("a", [(when: Is(Men((who: "x", within: Some((60, At("gate"))))), less, 1))])])"#;
    let (root, faults) = read_text(text);
    assert!(faults.is_empty());
    let orders = Path::ROOT.field("orders");
    let (entry, list) = (orders.index(0), 1);
    let lines = entry.index(list);
    let line = lines.index(0);
    let when = line.field("when");
    let measure = when.index(0);
    let sel = measure.index(0);
    let within = sel.field("within");
    let place = within.index(1);
    assert_eq!(root.find(&place.index(0)).text(), Some("gate"));
    assert_eq!(root.find(&sel.field("who")).text(), Some("x"));
    // A path that ends nowhere gives the nearest value above.
    assert!(matches!(root.find(&sel.field("none").index(4)).form, Form::Group(..)));
}

#[test]
fn several_faults_are_found_where_they_are() {
    let (root, faults) = read_text("(\n  a: 1\n  b: 2,\n  c: \"x,\n  d: [1, 2\n)");
    assert_eq!(
        places(&faults),
        [("E0103", 2, 7), ("E0104", 4, 6), ("E0104", 6, 1)],
        "{:?}",
        faults.iter().map(|f| f.message.to_string()).collect::<Vec<_>>()
    );
    // What could be read is there.
    assert!(matches!(&root.find(&Path::ROOT.field("b")).form, Form::Number(n) if n == "2"));
}

#[test]
fn a_list_that_is_not_closed_ends_at_the_next_field() {
    let (root, faults) = read_text("(a: [1, 2, b: 3)");
    assert_eq!(places(&faults), [("E0104", 1, 5)]);
    assert!(root.field("b").is_some());
}

#[test]
fn comments_nest_and_headers_are_skipped() {
    let (root, faults) = read_text("#![enable(implicit_some)]\n/* a /* b */ c */ (x: 1) // end");
    assert!(faults.is_empty());
    assert!(root.field("x").is_some());
}

#[test]
fn numbers_in_every_writing() {
    assert_eq!(number("1_000"), Some(1000.0));
    assert_eq!(number("-0x10"), Some(-16.0));
    assert_eq!(number("1e3"), Some(1000.0));
    assert_eq!(number("-inf"), Some(f64::NEG_INFINITY));
    assert!(number("NaN").is_some_and(f64::is_nan));
    assert_eq!(number("1.2.3"), None);
    assert_eq!(number("e5"), None);
}

#[test]
fn equal_values_are_equal_wherever_they_stand() {
    let one = read_text("(a: 1.0, b: Some(\"x\"))").0;
    let two = read_text("( b:\"x\", a: 1 )").0;
    assert!(one.same(&two));
    assert!(!one.same(&read_text("(a: 1.5, b: \"x\")").0));
}

#[test]
fn a_finding_shows_line_and_caret_under_chinese() {
    let (_, faults) = read_text("(name: \"某将\", men: 3x)");
    let shown = faults[0].render(false);
    assert!(shown.contains("test.ron:1:19"), "{shown}");
    assert!(shown.contains("^^"), "{shown}");
}
