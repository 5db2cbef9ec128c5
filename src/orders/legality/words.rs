//! Refusals in words, in both languages.

use super::Refusal;
use crate::core::ids::{AreaId, UnitId, WorkId};
use crate::orders::ast::{Place, Subject};
use crate::orders::read_back;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Name;

impl Refusal {
    /// The refusal in words.
    #[must_use]
    pub fn words(&self, scenario: &Scenario) -> Name {
        let unit = |u: &UnitId| read_back::subject(Subject::Unit(*u), scenario);
        let work = |w: &WorkId| read_back::place(Place::Work(*w), scenario);
        let area = |a: &AreaId| read_back::place(Place::Area(*a), scenario);
        let say = |en: String, zh: String| Name { en, zh };
        match self {
            Self::Nobody => say("the order is for nobody".into(), "此令无受令者".into()),
            Self::NoActs => say("the order says nothing to do".into(), "此令无所为".into()),
            Self::Unknown => say(
                "the order names something that is not in this battle".into(),
                "令中所指不在此战".into(),
            ),
            Self::NotYours { unit: u, side } => {
                let (u, s) = (
                    unit(u),
                    scenario.sides.get(side.index()).map(|s| s.name.clone()).unwrap_or_default(),
                );
                say(format!("{} belongs to {}", u.en, s.en), format!("{}属{}", u.zh, s.zh))
            }
            Self::NotYourPost { post } => {
                let p =
                    scenario.posts.get(post.index()).map(|p| p.name.clone()).unwrap_or_default();
                say(format!("{} is not yours to command", p.en), format!("{}不听你号令", p.zh))
            }
            Self::NotYourGate { work: w } => {
                let w = work(w);
                say(format!("{} is not kept by your side", w.en), format!("{}非我军所守", w.zh))
            }
            Self::NoGate { work: w } => {
                let w = work(w);
                say(format!("{} is no gate", w.en), format!("{}不是城门", w.zh))
            }
            Self::NotItsGate { unit: u } => {
                let u = unit(u);
                say(format!("{} works no gate", u.en), format!("{}不司城门", u.zh))
            }
            Self::PersonApart { person } => {
                let p = read_back::subject(Subject::Person(*person), scenario);
                say(
                    format!("{} rides with his unit: order the unit", p.en),
                    format!("{}随其部行动，请令其部", p.zh),
                )
            }
            Self::OffTheMap { x_m, y_m } => say(
                format!("{x_m:.0}, {y_m:.0} is off the map"),
                format!("{x_m:.0}，{y_m:.0}不在图上"),
            ),
            Self::NoStanding { x_m, y_m } => say(
                format!("nobody can stand at {x_m:.0}, {y_m:.0}"),
                format!("{x_m:.0}，{y_m:.0}处不可立足"),
            ),
            Self::EmptyArea { area: a } => {
                let a = area(a);
                say(
                    format!("there is no ground to stand on in {}", a.en),
                    format!("{}内无立足之地", a.zh),
                )
            }
            Self::HorseOnRampart { unit: u, area: a } => {
                let (u, a) = (unit(u), area(a));
                say(
                    format!("the horses of {} cannot go up to {}", u.en, a.en),
                    format!("{}骑马不能上{}", u.zh, a.zh),
                )
            }
            Self::CannotShoot { unit: u } => {
                let u = unit(u);
                say(format!("{} has nothing to shoot with", u.en), format!("{}无弓弩", u.zh))
            }
            Self::ShapeCannotShoot { unit: u } => {
                let u = unit(u);
                say(format!("{} cannot shoot in that shape", u.en), format!("{}此阵形不能射", u.zh))
            }
            Self::DeadZone { unit: u, from_m, within_m } => {
                let u = unit(u);
                say(
                    format!(
                        "{} cannot shoot nearer than {from_m:.0} m and these are within {within_m:.0} m",
                        u.en
                    ),
                    format!("{}射不到{from_m:.0}米以内，目标在{within_m:.0}米内", u.zh),
                )
            }
            Self::OutOfRange { unit: u, range_m, distance_m } => {
                let u = unit(u);
                say(
                    format!("{} reaches {range_m:.0} m and that is {distance_m:.0} m away", u.en),
                    format!("{}射程{range_m:.0}米，目标距{distance_m:.0}米", u.zh),
                )
            }
            Self::NoEngines { unit: u, .. } => {
                let u = unit(u);
                say(format!("{} serves no engines", u.en), format!("{}无器械", u.zh))
            }
            Self::NoWalk { .. } => {
                say("that is no stretch of wall-walk".into(), "该处并非城上走道".into())
            }
            Self::NoLadders { unit: u } => {
                let u = unit(u);
                say(format!("{} carries no ladders", u.en), format!("{}未携云梯", u.zh))
            }
            Self::NoSuchJob { .. } => {
                say("nobody can do that job here".into(), "此处无此工役".into())
            }
            Self::Itself { unit: u } => {
                let u = unit(u);
                say(format!("{} cannot do that to itself", u.en), format!("{}不能以己为对象", u.zh))
            }
            Self::BadNumber { value } => {
                say(format!("{value} makes no sense here"), format!("{value}在此无意义"))
            }
            Self::BadPriority { prio } => say(
                format!("a priority is 1 to 9, not {prio}"),
                format!("优先级为1至9，不能是{prio}"),
            ),
            Self::NoRefuge => say("no refuge is named".into(), "未指定退路".into()),
            Self::NotCarried { unit: u, instruction } => {
                let (u, what) = (unit(u), read_back::instruction(*instruction));
                say(
                    format!("{} has no standing instruction to {}", u.en, what.en),
                    format!("{}无“{}”之令", u.zh, what.zh),
                )
            }
            Self::NoSuchLine { label } => {
                say(format!("there is no order {label}"), format!("没有{label}令"))
            }
            Self::ItsOwnLine { label } => {
                say(format!("order {label} changes itself"), format!("{label}令自改"))
            }
        }
    }
}
