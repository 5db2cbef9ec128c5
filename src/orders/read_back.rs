//! A line as a sentence, in English and in Chinese, with the names of the battle.
//! It says what the line does, nothing more: what cannot be named (an id from
//! nowhere) is shown as a question mark and never a panic.

use super::ast::{
    Act, Channel, Cond, Event, Gait, GateOrder, Instruction, Job, Line, Mark, Measure, Place, Rel,
    Sel, Stance, State, Subject, Who,
};
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Name;

fn say(en: impl Into<String>, zh: impl Into<String>) -> Name {
    Name { en: en.into(), zh: zh.into() }
}

fn named(name: Option<&Name>) -> Name {
    name.cloned().unwrap_or_else(|| say("?", "？"))
}

fn joined(parts: &[Name], en: &str, zh: &str) -> Name {
    let all = |of: fn(&Name) -> &str, by: &str| parts.iter().map(of).collect::<Vec<_>>().join(by);
    say(all(|n| &n.en, en), all(|n| &n.zh, zh))
}

/// Metres from centimetres, without needless digits.
fn metres(cm: i32) -> String {
    number(f64::from(cm) / 100.0)
}

/// A number without needless digits.
fn number(value: f64) -> String {
    let tenths = (value * 10.0 + if value < 0.0 { -0.5 } else { 0.5 }) as i64;
    if tenths % 10 == 0 {
        (tenths / 10).to_string()
    } else {
        format!("{:.1}", tenths as f64 / 10.0)
    }
}

/// Minutes and seconds.
fn clock(seconds: i32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The whole line.
#[must_use]
pub fn line(line: &Line, scenario: &Scenario) -> Name {
    let who: Vec<Name> = line.who.iter().map(|s| subject(*s, scenario)).collect();
    let who = joined(&who, ", ", "、");
    let acts = acts_of(&line.acts, scenario);
    let by = named(scenario.posts.get(line.by.index()).map(|p| &p.name));
    let way = line.via.map_or_else(
        || say("", ""),
        |via| {
            let via = channel(via);
            say(format!(" (by {} from {})", via.en, by.en), format!("（{}自{}）", via.zh, by.zh))
        },
    );
    let when = match &line.when {
        Cond::Start => say("", ""),
        cond => {
            let cond = condition(cond, scenario);
            let (each, every) = if line.keep { ("whenever", "每当") } else { ("when", "当") };
            say(format!(" {each} {},", cond.en), format!("{every}{}时，", cond.zh))
        }
    };
    let until = line.until.as_ref().map_or_else(
        || say("", ""),
        |(cond, then)| {
            let (cond, then_said) = (condition(cond, scenario), acts_of(then, scenario));
            if then.is_empty() {
                say(format!(", until {}", cond.en), format!("，直到{}", cond.zh))
            } else {
                say(
                    format!(", until {}; then {}", cond.en, then_said.en),
                    format!("，直到{}，然后{}", cond.zh, then_said.zh),
                )
            }
        },
    );
    say(
        format!("{}{}:{} {}{}.", who.en, way.en, when.en, acts.en, until.en),
        format!("{}{}：{}{}{}。", who.zh, way.zh, when.zh, acts.zh, until.zh),
    )
}

/// Several acts in turn.
fn acts_of(acts: &[Act], scenario: &Scenario) -> Name {
    let acts: Vec<Name> = acts.iter().map(|a| act(a, scenario)).collect();
    joined(&acts, ", then ", "，再")
}

/// Whom a line is for.
#[must_use]
pub fn subject(subject: Subject, scenario: &Scenario) -> Name {
    match subject {
        Subject::Unit(unit) => named(scenario.units.get(unit.index()).map(|u| &u.name)),
        Subject::Person(person) => named(scenario.persons.get(person.index()).map(|p| &p.name)),
        Subject::Work(work) => {
            let work = named(scenario.site.works.get(work.index()).map(|w| &w.name));
            say(format!("Keeper of {}", work.en), format!("{}守将", work.zh))
        }
    }
}

/// A channel.
#[must_use]
pub fn channel(channel: Channel) -> Name {
    match channel {
        Channel::Shout => say("shout", "喊令"),
        Channel::Gong => say("gong", "鸣金"),
        Channel::Drum => say("drum", "击鼓"),
        Channel::Flag => say("flag", "旗令"),
        Channel::Courier => say("courier", "传骑"),
        Channel::Beacon => say("beacon", "烽火"),
    }
}

/// A condition.
#[must_use]
pub fn condition(cond: &Cond, scenario: &Scenario) -> Name {
    let many = |conds: &[Cond], en: &str, zh: &str| {
        let parts: Vec<Name> = conds.iter().map(|c| condition(c, scenario)).collect();
        let inner = joined(&parts, en, zh);
        if parts.len() > 1 {
            say(format!("({})", inner.en), format!("（{}）", inner.zh))
        } else {
            inner
        }
    };
    match cond {
        Cond::Start => say("the battle begins", "开战"),
        Cond::At(seconds) => say(
            format!("it is {} into the battle", clock(*seconds)),
            format!("开战后{}", clock(*seconds)),
        ),
        Cond::After(seconds, event) => {
            let event = event_of(event, scenario);
            say(
                format!("{seconds} s have passed since {}", event.en),
                format!("{}已过{seconds}秒", event.zh),
            )
        }
        Cond::Event(event) => event_of(event, scenario),
        Cond::Is(measure, rel, value) => {
            let (measure, value) = (measured(measure, scenario), number(*value));
            let (en, zh) = match rel {
                Rel::Less => ("below", "小于"),
                Rel::AtMost => ("at most", "不超过"),
                Rel::More => ("above", "大于"),
                Rel::AtLeast => ("at least", "至少"),
            };
            say(format!("{} are {en} {value}", measure.en), format!("{}{zh}{value}", measure.zh))
        }
        Cond::All(conds) => many(conds, " and ", "且"),
        Cond::Any(conds) => many(conds, " or ", "或"),
        Cond::Not(cond) => {
            let cond = condition(cond, scenario);
            say(
                format!("it is known not to be so that {}", cond.en),
                format!("确知并非{}", cond.zh),
            )
        }
        Cond::For(seconds, cond) => {
            let cond = condition(cond, scenario);
            say(format!("for {seconds} s {}", cond.en), format!("{}持续{seconds}秒", cond.zh))
        }
    }
}

fn event_of(event: &Event, scenario: &Scenario) -> Name {
    let of = |s: &Sel, en: &str, zh: &str| {
        let s = selector(s, scenario);
        say(format!("{} {en}", s.en), format!("{}{zh}", s.zh))
    };
    let work = |w: crate::core::ids::WorkId, en: &str, zh: &str| {
        let w = named(scenario.site.works.get(w.index()).map(|w| &w.name));
        say(format!("{} {en}", w.en), format!("{}{zh}", w.zh))
    };
    let area =
        |a: crate::core::ids::AreaId| named(scenario.site.areas.get(a.index()).map(|a| &a.name));
    let unit = |u: crate::core::ids::UnitId, en: &str, zh: &str| {
        let u = named(scenario.units.get(u.index()).map(|u| &u.name));
        say(format!("{} {en}", u.en), format!("{}{zh}", u.zh))
    };
    let person = |p: crate::core::ids::PersonId, en: &str, zh: &str| {
        let p = named(scenario.persons.get(p.index()).map(|p| &p.name));
        say(format!("{} {en}", p.en), format!("{}{zh}", p.zh))
    };
    match event {
        Event::Fired { line, then: false } => {
            say(format!("order {line} has been given"), format!("{line}令已下"))
        }
        Event::Fired { line, then: true } => {
            say(format!("order {line} is fulfilled"), format!("{line}令已毕"))
        }
        Event::Seen(sel) => of(sel, "are seen", "出现"),
        Event::Contact(sel) => of(sel, "are fighting", "接战"),
        Event::Broke(sel) => of(sel, "have broken", "已溃"),
        Event::Yielded(sel) => of(sel, "have yielded", "已降"),
        Event::Entered(sel, at) => {
            let at = area(*at);
            of(sel, &format!("are in {}", at.en), &format!("进入{}", at.zh))
        }
        Event::Left(sel, at) => {
            let at = area(*at);
            of(sel, &format!("have left {}", at.en), &format!("离开{}", at.zh))
        }
        Event::Reached(sel, at) => {
            let at = place(*at, scenario);
            of(sel, &format!("have reached {}", at.en), &format!("到达{}", at.zh))
        }
        Event::Opened(w) => work(*w, "is open", "已开"),
        Event::Shut(w) => work(*w, "is shut", "已闭"),
        Event::Jammed(w) => work(*w, "is jammed", "被卡住"),
        Event::Taken(at, side) => {
            let (at, side) = (area(*at), named(scenario.sides.get(side.index()).map(|s| &s.name)));
            say(format!("{} hold {}", side.en, at.en), format!("{}占有{}", side.zh, at.zh))
        }
        Event::Heads(at) => {
            let at = area(*at);
            say(format!("enemies are up on {}", at.en), format!("敌登上{}", at.zh))
        }
        Event::Empty(u) => unit(*u, "has nothing left to shoot", "矢石已尽"),
        Event::Loaded(u) => unit(*u, "is loaded", "装填完毕"),
        Event::Heard(c) => {
            let c = channel(*c);
            say(format!("the {} is heard", c.en), format!("闻{}", c.zh))
        }
        Event::Fell(p) => person(*p, "has fallen", "阵亡"),
        Event::Hurt(p) => person(*p, "is hurt", "负伤"),
        Event::Told(word) => say(format!("word comes of {word}"), format!("得报{word}")),
    }
}

fn measured(measure: &Measure, scenario: &Scenario) -> Name {
    let of = |s: &Sel, en: &str, zh: &str| {
        let s = selector(s, scenario);
        say(format!("{en} {}", s.en), format!("{}{zh}", s.zh))
    };
    match measure {
        Measure::Men(sel) => of(sel, "the men of", "人数"),
        Measure::Share(part, whole) => {
            let (part, whole) = (selector(part, scenario), selector(whole, scenario));
            say(
                format!("the percent that {} are of {}", part.en, whole.en),
                format!("{}占{}的百分比", part.zh, whole.zh),
            )
        }
        Measure::Loss(sel, 0) => of(sel, "the percent lost of", "损失百分比"),
        Measure::Loss(sel, seconds) => of(
            sel,
            &format!("the percent lost within {seconds} s of"),
            &format!("{seconds}秒内损失百分比"),
        ),
        Measure::Dist(sel, at) => {
            let (sel, at) = (selector(sel, scenario), place(*at, scenario));
            say(
                format!("the metres from {} to {}", sel.en, at.en),
                format!("{}距{}的米数", sel.zh, at.zh),
            )
        }
        Measure::Eta(sel, at) => {
            let (sel, at) = (selector(sel, scenario), place(*at, scenario));
            say(
                format!("the seconds in which {} could be at {}", sel.en, at.en),
                format!("{}最快到{}的秒数", sel.zh, at.zh),
            )
        }
        Measure::Ratio(area) => {
            let area = named(scenario.site.areas.get(area.index()).map(|a| &a.name));
            say(
                format!("our men for each enemy in {}", area.en),
                format!("{}内敌我兵力之比", area.zh),
            )
        }
        Measure::Ammo(unit) => {
            let unit = named(scenario.units.get(unit.index()).map(|u| &u.name));
            say(
                format!("the percent of missiles left to {}", unit.en),
                format!("{}剩余矢石百分比", unit.zh),
            )
        }
        Measure::Heart(sel) => of(sel, "the heart in percent of", "士气百分比"),
        Measure::Stamina(sel) => of(sel, "the stamina in percent of", "体力百分比"),
        Measure::Gap(work) => {
            let work = named(scenario.site.works.get(work.index()).map(|w| &w.name));
            say(
                format!("the percent by which {} stands open", work.en),
                format!("{}开启百分比", work.zh),
            )
        }
    }
}

/// Which men are meant.
#[must_use]
pub fn selector(sel: &Sel, scenario: &Scenario) -> Name {
    let whose = match sel.who {
        Who::Party(party) => {
            let party = scenario.parties.get(party.index());
            let side = party.and_then(|p| scenario.sides.get(p.side.index()));
            named(side.map(|s| &s.name))
        }
        Who::Side(side) => named(scenario.sides.get(side.index()).map(|s| &s.name)),
        Who::Enemy => say("the enemy", "敌军"),
        Who::Friend => say("our men", "我军"),
        Who::Corps(corps) => {
            let corps = named(scenario.corps.get(corps.index()).map(|c| &c.name));
            say(format!("the corps of {}", corps.en), format!("{}部", corps.zh))
        }
        Who::Unit(unit) => named(scenario.units.get(unit.index()).map(|u| &u.name)),
        Who::Kind(kind) => named(scenario.rules.units.get(kind.index()).map(|k| &k.name)),
        Who::Person(person) => named(scenario.persons.get(person.index()).map(|p| &p.name)),
        Who::Own => say("the unit itself", "本部"),
    };
    let (mut en, mut zh) = (whose.en, whose.zh);
    if sel.muster {
        en.push_str(" as they were at the start");
        zh.push_str("（开战时）");
    }
    let states: Vec<Name> = sel.states.iter().map(|s| state(*s)).collect();
    if !states.is_empty() {
        let states = joined(&states, " and ", "且");
        en = format!("{en} that are {}", states.en);
        zh = format!("{}的{zh}", states.zh);
    }
    if let Some(area) = sel.area {
        let area = named(scenario.site.areas.get(area.index()).map(|a| &a.name));
        en = format!("{en} in {}", area.en);
        zh = format!("{}内{zh}", area.zh);
    }
    if let Some((cm, at)) = sel.within {
        let at = place(at, scenario);
        en = format!("{en} within {} m of {}", metres(cm), at.en);
        zh = format!("{}{}米内{zh}", at.zh, metres(cm));
    }
    say(en, zh)
}

fn state(state: State) -> Name {
    match state {
        State::Formed => say("formed", "成阵"),
        State::Roofed => say("under a roof of shields", "举盾成顶"),
        State::Moving => say("on the move", "行进"),
        State::Stalled => say("stalled", "受阻"),
        State::Fighting => say("fighting", "接战"),
        State::Broken => say("broken", "溃散"),
        State::Unbroken => say("unbroken", "未溃"),
        State::Captive => say("captive", "被俘"),
        State::Home => say("home", "归营"),
        State::Mounted => say("mounted", "骑马"),
        State::Afoot => say("on foot", "步行"),
        State::Slow => say("hardly moving", "几乎不动"),
        State::Loose => say("in loose order", "散开"),
    }
}

/// A place.
#[must_use]
pub fn place(place: Place, scenario: &Scenario) -> Name {
    match place {
        Place::Area(area) => named(scenario.site.areas.get(area.index()).map(|a| &a.name)),
        Place::Work(work) => named(scenario.site.works.get(work.index()).map(|w| &w.name)),
        Place::Unit(unit) => named(scenario.units.get(unit.index()).map(|u| &u.name)),
        Place::Person(person) => named(scenario.persons.get(person.index()).map(|p| &p.name)),
        Place::Point(at) => say(
            format!("the point {} m east, {} m north", metres(at.x), metres(at.y)),
            format!("东{}米北{}米处", metres(at.x), metres(at.y)),
        ),
    }
}

/// What is done.
#[must_use]
pub fn act(act: &Act, scenario: &Scenario) -> Name {
    let unit = |u: crate::core::ids::UnitId| named(scenario.units.get(u.index()).map(|u| &u.name));
    match act {
        Act::Go { to, gait, shape } => {
            let (to, gait) = (place(*to, scenario), gait_of(*gait));
            let shape = shape.map_or_else(
                || say("", ""),
                |s| {
                    let s = shape_of(s, scenario);
                    say(format!(" in {}", s.en), format!("，成{}", s.zh))
                },
            );
            say(
                format!("{} to {}{}", gait.en, to.en, shape.en),
                format!("{}往{}{}", gait.zh, to.zh, shape.zh),
            )
        }
        Act::Stand(at) => {
            let at = place(*at, scenario);
            say(format!("stand at {} and hold it", at.en), format!("据守{}", at.zh))
        }
        Act::Charge(sel) => {
            let sel = selector(sel, scenario);
            say(format!("charge {}", sel.en), format!("冲击{}", sel.zh))
        }
        Act::Chase { prey, leash_cm, of } => {
            let (prey, of) = (selector(prey, scenario), place(*of, scenario));
            say(
                format!("hunt {}, no farther than {} m from {}", prey.en, metres(*leash_cm), of.en),
                format!("追击{}，不出{}{}米", prey.zh, of.zh, metres(*leash_cm)),
            )
        }
        Act::Screen(of) => {
            let of = unit(*of);
            say(format!("keep between the enemy and {}", of.en), format!("掩护{}", of.zh))
        }
        Act::Follow(whom, cm) => {
            let whom = unit(*whom);
            say(
                format!("follow {} at {} m", whom.en, metres(*cm)),
                format!("随{}之后{}米", whom.zh, metres(*cm)),
            )
        }
        Act::Back { refuges, bound } => {
            let refuges: Vec<Name> = refuges.iter().map(|r| place(*r, scenario)).collect();
            let refuges = joined(&refuges, ", or else ", "，否则");
            let (en, zh) = if *bound {
                ("fall back fighting to", "且战且退至")
            } else {
                ("ride or run back to", "疾退至")
            };
            say(format!("{en} {}", refuges.en), format!("{zh}{}", refuges.zh))
        }
        Act::Shape(shape) => {
            let shape = shape_of(*shape, scenario);
            say(format!("take up {}", shape.en), format!("成{}", shape.zh))
        }
        Act::Shoot { at, free, spare_cm } => {
            let at = selector(at, scenario);
            let (en, zh) = if *free {
                ("shoot at will at", "任意射击")
            } else {
                ("shoot, aimed and slow, at", "瞄准射击")
            };
            let (spare_en, spare_zh) = if *spare_cm > 0 {
                (
                    format!(", sparing {} m about friends", metres(*spare_cm)),
                    format!("，避开友军{}米", metres(*spare_cm)),
                )
            } else {
                (String::new(), String::new())
            };
            say(format!("{en} {}{spare_en}", at.en), format!("{zh}{}{spare_zh}", at.zh))
        }
        Act::Swap(front, rear) => {
            let (front, rear) = (unit(*front), unit(*rear));
            say(
                format!("{} to the front, {} step back", front.en, rear.en),
                format!("{}上前，{}退后", front.zh, rear.zh),
            )
        }
        Act::Standing(what, mark) => {
            let what = instruction(*what);
            let (en, zh) = match mark {
                Mark::Struck => ("strike out the instruction", "划去常例"),
                Mark::Stands => ("restore the instruction", "重立常例"),
            };
            say(format!("{en}: {}", what.en), format!("{zh}：{}", what.zh))
        }
        Act::HoldFire => say("hold fire", "停射"),
        Act::Volley(volleys) => {
            say(format!("let go {volleys} volleys together"), format!("齐射{volleys}轮"))
        }
        Act::Job(job, at) => {
            let at = place(*at, scenario);
            let (en, zh) = match job {
                Job::Bar => ("bar", "上闩"),
                Job::Clear => ("clear", "清理"),
                Job::Depress => ("depress the engines at", "压低机括于"),
                Job::Load => ("load the engines at", "装填于"),
                Job::Emplace => ("push the engines to their stand at", "推机就位于"),
                Job::DrawBack => ("draw the engines back at", "撤机于"),
                Job::Mount => ("mount at", "上马于"),
                Job::Dismount => ("dismount at", "下马于"),
                Job::Raise => ("raise the ladders at", "竖云梯于"),
                Job::Ram => ("ram", "以冲车撞击"),
                Job::CastDown => ("throw the ladders down from", "推倒云梯于"),
                Job::Drop => ("throw logs and stones down from", "投放檑木滚石于"),
            };
            say(format!("{en} {}", at.en), format!("{zh}{}", at.zh))
        }
        Act::Gate(GateOrder::Open) => say("open the gate", "开门"),
        Act::Gate(GateOrder::Shut) => {
            say("shut the gate, whoever is outside", "闭门，不论门外何人")
        }
        Act::Gate(GateOrder::Guard) => say(
            "keep the gate open for friends and shut it before an enemy can reach it",
            "为友军留门，敌将至则闭",
        ),
        Act::Signal(c) => {
            let c = channel(*c);
            say(format!("give the signal by {}", c.en), format!("以{}为号", c.zh))
        }
        Act::Amend(label, act_in) => {
            let inner = self::act(act_in, scenario);
            say(
                format!("change order {label} to: {}", inner.en),
                format!("改{label}令为：{}", inner.zh),
            )
        }
        Act::Cancel(label) => say(format!("withdraw order {label}"), format!("撤回{label}令")),
        Act::Stance(stance) => match stance {
            Stance::HoldToTheLast => say("hold to the last man", "死守"),
            Stance::Hold => say("hold, and give way at 30 % lost", "坚守，损三成则退"),
            Stance::Feint => say("threaten only", "佯攻"),
            Stance::Press => say("press on", "进逼"),
            Stance::Storm => say("storm at any price", "强攻不惜代价"),
            Stance::Save => say("save the men", "保全士卒"),
        },
        Act::Call(text) => say(format!("call me: {text}"), format!("唤我：{text}")),
    }
}

/// What a standing instruction tells a unit to do.
#[must_use]
pub fn instruction(instruction: Instruction) -> Name {
    match instruction {
        Instruction::WorthIt => {
            say("shoot only what it can hurt, no closed roof", "只射可伤之敌，不射盾顶")
        }
        Instruction::SpareFriends => say("spare what stands near friends", "避开友军"),
        Instruction::KeepArrows => {
            say("keep its last arrows for the foot of the wall", "留余矢以射城下")
        }
        Instruction::SwapAtHeads => say(
            "change places where heads come over the parapet: blades forward, shooters back",
            "敌登城处刀戟上前、弓弩退后",
        ),
        Instruction::CallForHelp => say("call for help where it is outnumbered", "兵少于敌则求援"),
        Instruction::AnswerCalls => say("set out for who calls, when idle", "闻求援而往"),
        Instruction::Meet => say("step out to an enemy who comes near", "敌近则出击"),
    }
}

fn gait_of(gait: Gait) -> Name {
    match gait {
        Gait::Walk => say("walk", "缓行"),
        Gait::Quick => say("go quickly", "疾行"),
        Gait::Run => say("run", "奔"),
        Gait::Charge => say("dash", "冲"),
    }
}

fn shape_of(shape: crate::scenario::catalogue::Shape, scenario: &Scenario) -> Name {
    named(scenario.rules.shapes.iter().find(|s| s.id == shape).map(|s| &s.name))
}
