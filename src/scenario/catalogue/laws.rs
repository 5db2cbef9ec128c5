//! The figures of each law. Units are in the names: metres, seconds, men, shares
//! from 0 to 1. What they are set to, and why, stands in `assets/rules/laws.ron`.

use serde::{Deserialize, Serialize};

use crate::scenario::figure::Fig;

macro_rules! law_figures {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$fdoc])* pub $field: Fig,)* }
    )*};
}

/// The figures of all laws; one field per law that has any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Laws {
    /// Crowd flow, passages and pressure.
    pub passage: PassageLaw,
    /// What lies on the ground.
    pub lying: LyingLaw,
    /// Crush and falls.
    pub crush: CrushLaw,
    /// Contested cells, momentum, trampling.
    pub contest: ContestLaw,
    /// Blows.
    pub blows: BlowsLaw,
    /// Shots.
    pub shot: ShotLaw,
    /// Heart.
    pub heart: HeartLaw,
    /// Persons.
    pub person: PersonLaw,
    /// Knowledge and sight.
    pub knowledge: KnowledgeLaw,
    /// Messages.
    pub message: MessageLaw,
    /// Jobs and gates.
    pub job: JobLaw,
    /// How men conduct themselves within their orders.
    pub conduct: ConductLaw,
    /// Who owns the named areas.
    pub area: AreaLaw,
    /// What keepers and headquarters do by themselves.
    pub command: CommandLaw,
    /// Ladders, and what is thrown on them. Rules without it know no ladders.
    #[serde(default)]
    pub escalade: EscaladeLaw,
}

law_figures! {
    /// L1.
    PassageLaw {
        /// Metres a second at which a crowd on foot flows through what is narrow.
        crowd_foot_m_s,
        /// The same on horseback.
        crowd_horse_m_s,
        /// Peak flow as a share of jam density times gait speed.
        flow_share,
        /// Share of the jam area above which a cell takes no more men, 0 to 1.
        full,
        /// Share of free flow kept when men go both ways.
        two_way,
        /// Seconds for which men who went the other way still hinder.
        two_way_s,
        /// Men of a company that may press into a full cell, as a share of its room.
        press,
        /// Seconds blocked after which friends change places.
        swap_s,
        /// Metres between two leaves through which a man still slips.
        man_gap_m,
        /// Metres between two leaves through which a horse still goes.
        horse_gap_m,
    }
    /// L3.
    LyingLaw {
        /// Square metres a fallen man takes.
        man_m2,
        /// Square metres a fallen horse takes.
        horse_m2,
        /// Share of riders down whose horse falls too.
        horse_falls,
        /// Seconds until a loose horse has wandered off.
        horse_wanders_s,
        /// Speed lost on ground wholly covered, 0 to 1.
        slows,
    }
    /// L19.
    CrushLaw {
        /// Pressure at which `per_s` are killed: men a square metre, those who
        /// stand there and those who push from behind together.
        begins,
        /// Share of the pressed killed every second at that pressure; it rises
        /// with the sixth power, so there is no threshold.
        per_s,
        /// Metres from behind over which a push is felt.
        reach_m,
    }
    /// L2.
    ContestLaw {
        /// Metres within which companies in neighbouring cells touch.
        touch_m,
        /// Chance every second that a company in contact can break off at will.
        leave_per_s,
        /// Share of the men in contact struck while leaving, every second.
        leave_loss_per_s,
        /// Kilogram-metres a second of charge for each man that push one pace.
        push_kg_m_s,
        /// Chance that a fallen man in the path of momentum is trampled.
        trample,
        /// Metres by which a beaten company is pushed back at most in a second.
        push_back_m_s,
        /// Seconds for which who has broken off stays free of his foes.
        free_for_s,
        /// Least factor on the chance to break off, against heavy odds.
        leave_odds_least,
        /// Most of it, from a few.
        leave_odds_most,
        /// Sides attacked, of four, from which a company counts as surrounded.
        surrounded_sides,
        /// Metres of reach that the first rank needs for itself.
        first_rank_m,
        /// Metres of a pace.
        pace_m,
        /// Slowest approach in metres a second that still is a charge.
        charge_m_s,
        /// How men stand up to a push on their flank; 1 as on their front.
        flank_stands,
        /// The same on their back.
        back_stands,
        /// Least order that counts, so that a crowd is weak and not nothing.
        least_order,
        /// Share of those pushed out of their place who lose their footing.
        stumble,
    }
    /// L18.
    BlowsLaw {
        /// The one number that carries the fiction: 1 for real sieges.
        lethality,
        /// Blows on a turned back as a factor.
        back,
        /// Blows on a flank as a factor.
        flank,
        /// Seconds of fighting that halve a fresh man's blows.
        tires_s,
        /// Share of the men in reach who really strike at one time.
        presses,
        /// Share of a fresh man's blows that an exhausted one still strikes.
        spent,
    }
    /// L12.
    ShotLaw {
        /// Shooting in battle as a share of that on the range.
        battle,
        /// Metres about friends that a careful shooter spares.
        spare_m,
        /// Share of an arrow's hits that put a man out of action.
        disables,
        /// Metres of height that a man shows.
        man_height_m,
        /// Metres of height that a rider shows.
        rider_height_m,
        /// Seconds between two looks for a better target.
        look_s,
        /// Rate of aimed shooting as a share of that at will.
        aimed_rate,
        /// Scatter of aimed shooting as a share of that at will.
        aimed_scatter,
        /// Metres a second above which men on foot do not shoot.
        stands_m_s,
        /// Share of rate and aim that is left on horseback and moving.
        riding,
        /// Metres of the muzzle over the floor that the shooter stands on.
        muzzle_m,
        /// Metres of breadth of a man's silhouette.
        silhouette_m,
        /// Metres of depth of his own footprint.
        footprint_m,
        /// Tangent of the flattest fall of a missile lobbed over heads.
        lobbed_fall,
        /// Metres of breadth that a stone sweeps, its own and a man's.
        stone_m,
        /// Share of a shield's cover that is left against shot on a flank.
        shield_aside,
        /// Share of a closed shape's cover that aimed shooting gets round.
        #[serde(default = "Fig::none")]
        gaps,
        /// Least harm of a missile at will, as a share of what it would do to the
        /// same men without the cover of their shape.
        #[serde(default = "Fig::none")]
        worth_it,
        /// Chance that a stone that strikes men under a roof opens it.
        #[serde(default = "Fig::none")]
        opens_roof,
        /// Work of an engine's crew under fire, as a share of that in peace.
        #[serde(default = "Fig::one")]
        harried,
        /// How much more an engine is worth to another engine than the same men.
        #[serde(default = "Fig::one")]
        counter_battery,
        /// Share of the men on a wall whom its parapet hides from those below.
        #[serde(default = "Fig::none")]
        parapet,
        /// Share of his arrows that a shooter on a wall keeps for its foot, 0 to 1.
        #[serde(default = "Fig::none")]
        keep_share,
        /// Metres before him within which that is.
        #[serde(default = "Fig::none")]
        foot_m,
    }
    /// L9.
    HeartLaw {
        /// Heart lost for each percent of the company lost within a minute.
        per_loss_percent,
        /// Heart lost for each second stalled under shot.
        per_stall_s,
        /// Heart lost for each flank or rear attacked, every second.
        per_flank_s,
        /// Heart lost at a friend's breaking within sight.
        friend_breaks,
        /// Heart won at a foe's breaking within sight.
        foe_breaks,
        /// Heart that comes back every second out of danger.
        recovers_per_s,
        /// Chance to break every second with no heart left.
        break_per_s,
        /// Heart at which the chance to break begins, 0 to 1000.
        wavers,
        /// Seconds out of danger before broken men rally.
        rally_s,
        /// Heart after a rally, 0 to 1000.
        rallied,
        /// Heart for a formed friend near, every second.
        friend_near,
        /// Men below which a company is gone.
        gone_men,
        /// Loss within a minute, in percent, that weighs fully.
        rate_percent,
        /// Metres within which a breaking is seen, over heads.
        breaks_seen_m,
        /// Men whose breaking weighs once, so that company sizes make no difference.
        break_men,
        /// Metres within which an enemy is danger to broken men.
        danger_m,
        /// Seconds without loss after which nobody feels shot at any more.
        shot_at_s,
        /// Metres a second below which a company that wants to go on is stalled.
        stall_m_s,
        /// Seconds over which losses press.
        rate_s,
        /// Seconds for which the causes of a break are remembered.
        causes_s,
        /// What presses on those who waver without anything happening now.
        unpressed,
        /// What a stall under shot presses, beside a full loss rate of 1.
        stall_presses,
        /// What each open flank presses.
        flank_presses,
        /// Most that can press at once.
        most_presses,
        /// Factor on the chance to break of men told to hold to the last.
        last_resolve,
        /// The same of men told to storm.
        storm_resolve,
        /// The same of men told to press.
        press_resolve,
        /// The same of men told to feint.
        feint_resolve,
        /// The same of men told to save themselves; holding is 1.
        save_resolve,
        /// Enemies for each man in contact from which those without a way out yield.
        yields_odds,
        /// Chance every second that they then do, with no heart left.
        yields_per_s,
        /// Seconds of rest that bring a spent man back to fresh.
        rests_s,
        /// Stamina, of 1000, below which nobody runs.
        winded,
        /// Metres over which a war drum lifts friends.
        #[serde(default = "Fig::none")]
        drum_m,
        /// Heart that a war drum gives, every second.
        #[serde(default = "Fig::none")]
        drum_per_s,
        /// Heart over their own steadiness to which a drum lifts men at most.
        #[serde(default = "Fig::none")]
        drum_lifts,
        /// Seconds for which a drum beats on after one order.
        #[serde(default = "Fig::none")]
        drum_s,
    }
    /// L10.
    PersonLaw {
        /// Blows that a man of presence is worth, for each of his men.
        presence_m,
        /// Heart that a leader's presence gives, every second.
        presence_heart,
        /// Chance that a person of a struck company is among the struck, as a factor.
        exposed,
        /// A leader rides over to a company within so many times his presence.
        rides_over,
        /// Sides attacked, of four, at which he looks for a way out.
        beset_sides,
        /// Metres of front that one man with room about him fights on.
        own_front_m,
        /// Seconds of his presence that his fall costs those who saw it.
        fall_s,
    }
    /// L5.
    KnowledgeLaw {
        /// Metres seen from a tower by day.
        tower_day_m,
        /// Metres seen from the ground by day.
        ground_day_m,
        /// Metres seen by night.
        night_m,
        /// Metres a second that news travels where it is not seen.
        news_m_s,
        /// Height of eyes in metres at which the figure for the ground holds.
        ground_eyes_m,
        /// Height of eyes in metres at which the figure for a tower holds.
        tower_eyes_m,
    }
    /// L16.
    MessageLaw {
        /// Seconds to write an order.
        draft_s,
        /// Seconds to understand and begin.
        understand_s,
        /// Metres a second of a courier.
        courier_m_s,
        /// Metres a shout carries.
        shout_m,
        /// Metres a gong or drum carries in a fight.
        gong_m,
        /// Metres a flag is seen.
        flag_m,
    }
    /// How a company picks its prey, its gait and its way.
    ConductLaw {
        /// Metres from the prey at which a charge breaks into a canter.
        canter_from_m,
        /// Metres from the prey at which it gallops.
        gallop_from_m,
        /// Metres that a prey seems farther for each company already after it.
        crowding_m,
        /// Seconds between two looks for another prey.
        look_again_s,
        /// Seconds that hunters ride on to where they last saw their prey go.
        follows_s,
        /// Metres towards the enemy at which a screen stands from its charge.
        screen_m,
        /// Metres from its charge within which a screen turns on enemies.
        screen_reach_m,
        /// Share of a jam that men who keep order in the open fill at most, 0 to 1.
        order_share,
        /// Metres about its place within which a standing company meets an enemy.
        meets_m,
        /// Metres along a walk within which men come forward, or step back, where
        /// enemies come over the parapet.
        #[serde(default = "Fig::none")]
        heads_m,
    }
    /// L4.
    JobLaw {
        /// Seconds of reaction before men lay hands on.
        begins_s,
        /// Men pressing on a leaf for each man behind it that hold it still.
        leaf_pressed,
        /// Men who can set their shoulders to a metre of leaf, all ranks together.
        leaf_hands_per_m,
        /// Metres from the leaves within which hands can come to them.
        crew_near_m,
        /// Share of a passage's floor that lies covered at which a leaf catches, 0 to 1.
        jams,
        /// Man-seconds to drag a fallen man out of a passage.
        drag_man_s,
        /// Man-seconds to drag a fallen horse out of a passage.
        drag_horse_s,
    }
    /// L15.
    AreaLaw {
        /// Metres about an area within which a formed company holds it.
        holds_m,
        /// Seconds that a side must be alone there before it owns it.
        alone_s,
    }
    /// L1, L4 and L19 at a wall that is climbed.
    EscaladeLaw {
        /// Seconds between two men who come off one ladder.
        man_s,
        /// Metres a second of a man on a ladder.
        climb_m_s,
        /// Metres of wall that one ladder takes.
        ladder_m,
        /// Men who carry and raise one ladder.
        carry_men,
        /// Metres a second of men who carry a ladder.
        carry_m_s,
        /// Man-seconds to raise one.
        raise_man_s,
        /// Man-seconds at the parapet to throw an empty one down.
        cast_man_s,
        /// Men who can lay hands on one ladder at the parapet.
        cast_men,
        /// Share of that work that tells while men weigh on the ladder, 0 to 1.
        laden,
        /// Share of the free men on a walk who look to the ladders unordered, 0 to 1.
        tends,
        /// Chance that a ladder thrown down breaks.
        breaks,
        /// Share of those who fall from a ladder who are put out of action.
        fall_out,
        /// Men thrown from a walk every second for each man in contact, at odds of two
        /// to one against them and a walk one man deep.
        thrown_per_s,
        /// Seconds in which two men heave one log or stone over the parapet.
        heave_s,
        /// Square metres at the foot of the wall that one of them strikes.
        strikes_m2,
        /// Share of the men on a ladder that one strikes who are swept off it.
        sweeps,
        /// Share of those struck by it who are put out of action.
        strikes_out,
        /// Men at the parapet who can strike at one who comes off a ladder.
        head_men,
        /// Chance that a blow lands on a man who has his hands on the rungs.
        head_lands,
        /// Seconds in which two bodies of men change places on a walk.
        swap_s,
    }
    /// L8.
    CommandLaw {
        /// A keeper opens again once no enemy could be at the leaves within this many
        /// times the seconds in which he would have shut.
        opens_again,
        /// Seconds of warning before a gate would have to be shut.
        warning_s,
        /// Seconds between two calls of a kind: the pace of a person.
        calls_apart_s,
        /// Own men for each enemy in its area below which a post calls for help.
        #[serde(default = "Fig::none")]
        help_ratio,
        /// Seconds after which it calls again.
        #[serde(default = "Fig::none")]
        help_again_s,
    }
}

impl Default for EscaladeLaw {
    /// Rules from before there were ladders: nothing of it happens.
    fn default() -> Self {
        let none = || Fig::made(0.0);
        Self {
            man_s: none(),
            climb_m_s: none(),
            ladder_m: none(),
            carry_men: none(),
            carry_m_s: none(),
            raise_man_s: none(),
            cast_man_s: none(),
            cast_men: none(),
            laden: none(),
            tends: none(),
            breaks: none(),
            fall_out: none(),
            thrown_per_s: none(),
            heave_s: none(),
            strikes_m2: none(),
            sweeps: none(),
            strikes_out: none(),
            head_men: none(),
            head_lands: none(),
            swap_s: none(),
        }
    }
}
