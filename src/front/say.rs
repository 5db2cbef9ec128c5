//! Orders read back as sentences, in the language in use.

use crate::orders::ast::{
    Act, Channel, Cond, Event, GateOrder, Job, Line, Mark, Measure, Place, Rel, Sel, Stance, State,
    Subject, Who,
};
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Shape;

use super::words::{Val, Words, clock};

/// Says orders of one battle.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// The words.
    pub words: &'a Words,
    /// The battle.
    pub battle: &'a Scenario,
}

impl Teller<'_> {
    fn say(&self, key: &str, args: &[(&str, String)]) -> String {
        let args: Vec<(&str, Val)> = args.iter().map(|(k, v)| (*k, v.clone().into())).collect();
        self.words.say(key, &args)
    }

    /// A whole line: who, when, what.
    #[must_use]
    pub fn line(&self, line: &Line) -> String {
        let acts = self.acts(&line.acts);
        let mut out = if matches!(line.when, Cond::Start) {
            self.say("say-at-once", &[("acts", acts)])
        } else {
            self.say("say-when", &[("when", self.cond(&line.when)), ("acts", acts)])
        };
        if let Some((until, then)) = &line.until {
            out +=
                &self.say("say-until", &[("until", self.cond(until)), ("acts", self.acts(then))]);
        }
        out
    }

    /// Acts in turn.
    #[must_use]
    pub fn acts(&self, acts: &[Act]) -> String {
        acts.iter().map(|a| self.act(a)).collect::<Vec<_>>().join(&self.words.t("say-then"))
    }

    /// Whom a line is for.
    #[must_use]
    pub fn who(&self, who: &[Subject]) -> String {
        who.iter()
            .map(|s| match s {
                Subject::Unit(u) => self.unit(u.index()),
                Subject::Work(w) => self.work(w.index()),
                Subject::Person(p) => self.person(p.index()),
            })
            .collect::<Vec<_>>()
            .join(&self.words.t("say-comma"))
    }

    fn unit(&self, i: usize) -> String {
        self.battle.units.get(i).map_or_else(String::new, |u| self.words.name(&u.name).to_owned())
    }

    fn work(&self, i: usize) -> String {
        self.battle
            .site
            .works
            .get(i)
            .map_or_else(String::new, |w| self.words.name(&w.name).to_owned())
    }

    fn person(&self, i: usize) -> String {
        self.battle.persons.get(i).map_or_else(String::new, |p| self.words.name(&p.name).to_owned())
    }

    fn area(&self, i: usize) -> String {
        self.battle
            .site
            .areas
            .get(i)
            .map_or_else(String::new, |a| self.words.name(&a.name).to_owned())
    }

    /// A place.
    #[must_use]
    pub fn place(&self, place: &Place) -> String {
        match place {
            Place::Area(a) => self.area(a.index()),
            Place::Work(w) => self.work(w.index()),
            Place::Point(p) => self.say(
                "say-point",
                &[("x", (p.x / 100).to_string()), ("y", (p.y / 100).to_string())],
            ),
            Place::Unit(u) => self.unit(u.index()),
            Place::Person(p) => self.person(p.index()),
        }
    }

    fn sel(&self, sel: &Sel) -> String {
        let mut out = match sel.who {
            Who::Party(p) => self.battle.parties.get(p.index()).map_or_else(String::new, |p| {
                self.battle
                    .sides
                    .get(p.side.index())
                    .map_or_else(String::new, |s| self.words.name(&s.name).to_owned())
            }),
            Who::Side(s) => self
                .battle
                .sides
                .get(s.index())
                .map_or_else(String::new, |s| self.words.name(&s.name).to_owned()),
            Who::Enemy => self.words.t("say-enemy"),
            Who::Friend => self.words.t("say-friend"),
            Who::Corps(c) => self
                .battle
                .corps
                .get(c.index())
                .map_or_else(String::new, |c| self.words.name(&c.name).to_owned()),
            Who::Unit(u) => self.unit(u.index()),
            Who::Kind(k) => self
                .battle
                .rules
                .units
                .get(k.index())
                .map_or_else(String::new, |k| self.words.name(&k.name).to_owned()),
            Who::Person(p) => self.person(p.index()),
            Who::Own => self.words.t("say-own"),
        };
        for state in &sel.states {
            out = self.say("say-state", &[("who", out), ("state", self.state(*state))]);
        }
        if let Some(area) = sel.area {
            out = self.say("say-in", &[("who", out), ("place", self.area(area.index()))]);
        }
        if let Some((cm, place)) = &sel.within {
            out = self.say(
                "say-within",
                &[("who", out), ("m", (cm / 100).to_string()), ("place", self.place(place))],
            );
        }
        out
    }

    fn state(&self, state: State) -> String {
        self.words.t(match state {
            State::Formed => "state-formed",
            State::Roofed => "state-roofed",
            State::Moving => "state-moving",
            State::Stalled => "state-stalled",
            State::Fighting => "state-fighting",
            State::Broken => "state-broken",
            State::Unbroken => "state-unbroken",
            State::Captive => "state-captive",
            State::Home => "state-home",
            State::Mounted => "state-mounted",
            State::Afoot => "state-afoot",
            State::Slow => "state-slow",
            State::Loose => "state-loose",
        })
    }

    /// A condition.
    #[must_use]
    pub fn cond(&self, cond: &Cond) -> String {
        let join = |list: &[Cond], key: &str| {
            list.iter().map(|c| self.cond(c)).collect::<Vec<_>>().join(&self.words.t(key))
        };
        match cond {
            Cond::Start => self.words.t("say-start"),
            Cond::At(s) => self.say("say-time", &[("time", clock(*s))]),
            Cond::After(s, event) => {
                self.say("say-after", &[("s", s.to_string()), ("event", self.event(event))])
            }
            Cond::Event(event) => self.event(event),
            Cond::Is(measure, rel, number) => {
                let rel = self.words.t(match rel {
                    Rel::Less => "say-less",
                    Rel::AtMost => "say-at-most",
                    Rel::More => "say-more",
                    Rel::AtLeast => "say-at-least",
                });
                let number = if number.fract() == 0.0 {
                    format!("{number:.0}")
                } else {
                    format!("{number:.1}")
                };
                self.measure(measure, &rel, &number)
            }
            Cond::All(list) => join(list, "say-and"),
            Cond::Any(list) => join(list, "say-or"),
            Cond::Not(inner) => self.say("say-not", &[("cond", self.cond(inner))]),
            Cond::For(s, inner) => {
                self.say("say-for", &[("cond", self.cond(inner)), ("s", s.to_string())])
            }
        }
    }

    fn measure(&self, measure: &Measure, rel: &str, number: &str) -> String {
        let (rel, n) = (rel.to_owned(), number.to_owned());
        match measure {
            Measure::Men(s) => self.say("say-men", &[("who", self.sel(s)), ("rel", rel), ("n", n)]),
            Measure::Share(s, _) => {
                self.say("say-share", &[("who", self.sel(s)), ("rel", rel), ("n", n)])
            }
            Measure::Loss(s, _) => {
                self.say("say-loss", &[("who", self.sel(s)), ("rel", rel), ("n", n)])
            }
            Measure::Dist(s, p) => self.say(
                "say-dist",
                &[("who", self.sel(s)), ("place", self.place(p)), ("rel", rel), ("n", n)],
            ),
            Measure::Eta(s, p) => self.say(
                "say-eta",
                &[("who", self.sel(s)), ("place", self.place(p)), ("rel", rel), ("n", n)],
            ),
            Measure::Ratio(a) => {
                self.say("say-ratio", &[("place", self.area(a.index())), ("rel", rel), ("n", n)])
            }
            Measure::Ammo(u) => {
                self.say("say-ammo", &[("who", self.unit(u.index())), ("rel", rel), ("n", n)])
            }
            Measure::Heart(s) => {
                self.say("say-heart", &[("who", self.sel(s)), ("rel", rel), ("n", n)])
            }
            Measure::Stamina(s) => {
                self.say("say-stamina", &[("who", self.sel(s)), ("rel", rel), ("n", n)])
            }
            Measure::Gap(w) => {
                self.say("say-gap", &[("place", self.work(w.index())), ("rel", rel), ("n", n)])
            }
        }
    }

    fn event(&self, event: &Event) -> String {
        let one = |key: &str, who: String| self.say(key, &[("who", who)]);
        match event {
            Event::Fired { line, .. } => one("event-fired", line.clone()),
            Event::Seen(s) => one("event-seen", self.sel(s)),
            Event::Contact(s) => one("event-contact", self.sel(s)),
            Event::Broke(s) => one("event-broke", self.sel(s)),
            Event::Yielded(s) => one("event-yielded", self.sel(s)),
            Event::Entered(s, a) => {
                self.say("event-entered", &[("who", self.sel(s)), ("place", self.area(a.index()))])
            }
            Event::Left(s, a) => {
                self.say("event-left", &[("who", self.sel(s)), ("place", self.area(a.index()))])
            }
            Event::Reached(s, p) => {
                self.say("event-reached", &[("who", self.sel(s)), ("place", self.place(p))])
            }
            Event::Opened(w) => one("event-opened", self.work(w.index())),
            Event::Shut(w) => one("event-shut", self.work(w.index())),
            Event::Jammed(w) => one("event-jammed", self.work(w.index())),
            Event::Heads(a) => one("event-heads", self.area(a.index())),
            Event::Taken(a, _) => one("event-taken", self.area(a.index())),
            Event::Empty(u) => one("event-empty", self.unit(u.index())),
            Event::Loaded(u) => one("event-loaded", self.unit(u.index())),
            Event::Heard(c) => one("event-heard", self.channel(*c)),
            Event::Fell(p) => one("event-fell", self.person(p.index())),
            Event::Hurt(p) => one("event-hurt", self.person(p.index())),
            Event::Told(word) => one("event-told", word.clone()),
        }
    }

    /// A way that orders travel.
    #[must_use]
    pub fn channel(&self, channel: Channel) -> String {
        self.words.t(match channel {
            Channel::Shout => "via-shout",
            Channel::Gong => "via-gong",
            Channel::Drum => "via-drum",
            Channel::Flag => "via-flag",
            Channel::Courier => "via-courier",
            Channel::Beacon => "via-beacon",
        })
    }

    /// A shape.
    #[must_use]
    pub fn shape(&self, shape: Shape) -> String {
        self.words.name(&self.battle.rules.shape(shape).name).to_owned()
    }

    fn act(&self, act: &Act) -> String {
        let one = |key: &str, who: String| self.say(key, &[("who", who)]);
        match act {
            Act::Go { to, .. } => one("act-go", self.place(to)),
            Act::Stand(place) => one("act-stand", self.place(place)),
            Act::Charge(sel) => one("act-charge", self.sel(sel)),
            Act::Chase { prey, leash_cm, of } => self.say(
                "act-chase",
                &[
                    ("who", self.sel(prey)),
                    ("m", (leash_cm / 100).to_string()),
                    ("place", self.place(of)),
                ],
            ),
            Act::Swap(front, rear) => self.say(
                "act-swap",
                &[("who", self.unit(front.index())), ("place", self.unit(rear.index()))],
            ),
            Act::Standing(what, mark) => one(
                match mark {
                    Mark::Struck => "act-struck",
                    Mark::Stands => "act-stands",
                },
                self.words.name(&crate::orders::read_back::instruction(*what)).to_owned(),
            ),
            Act::Screen(u) => one("act-screen", self.unit(u.index())),
            Act::Follow(u, _) => one("act-follow", self.unit(u.index())),
            Act::Back { refuges, .. } => {
                one("act-back", refuges.first().map_or_else(String::new, |p| self.place(p)))
            }
            Act::Shape(shape) => one("act-shape", self.shape(*shape)),
            Act::Shoot { at, .. } => one("act-shoot", self.sel(at)),
            Act::HoldFire => self.words.t("act-hold-fire"),
            Act::Volley(n) => one("act-volley", n.to_string()),
            Act::Job(job, place) => {
                self.say("act-job", &[("job", self.job(*job)), ("place", self.place(place))])
            }
            Act::Gate(order) => self.words.t(match order {
                GateOrder::Open => "act-gate-open",
                GateOrder::Shut => "act-gate-shut",
                GateOrder::Guard => "act-gate-guard",
            }),
            Act::Signal(channel) => one("act-signal", self.channel(*channel)),
            Act::Amend(line, _) => one("act-amend", line.clone()),
            Act::Cancel(line) => one("act-cancel", line.clone()),
            Act::Stance(stance) => self.words.t(match stance {
                Stance::HoldToTheLast => "stance-last",
                Stance::Hold => "stance-hold",
                Stance::Feint => "stance-feint",
                Stance::Press => "stance-press",
                Stance::Storm => "stance-storm",
                Stance::Save => "stance-save",
            }),
            Act::Call(words) => one("act-call", words.clone()),
        }
    }

    fn job(&self, job: Job) -> String {
        self.words.t(match job {
            Job::Bar => "job-bar",
            Job::Clear => "job-clear",
            Job::Depress => "job-depress",
            Job::Load => "job-load",
            Job::Emplace => "job-emplace",
            Job::DrawBack => "job-draw-back",
            Job::Mount => "job-mount",
            Job::Dismount => "job-dismount",
            Job::Raise => "job-raise",
            Job::Ram => "job-ram",
            Job::CastDown => "job-cast-down",
            Job::Drop => "job-drop",
        })
    }
}
