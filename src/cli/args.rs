//! The arguments, as they are promised.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::study::run::Orders;

/// Nine Gates 九门: a turn-based siege simulation.
#[derive(Debug, Parser)]
#[command(name = "nine-gates", version, about, long_about = None, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done, 1 the thing looked at is at fault, 2 the call is at fault, 3 interrupted."
)]
pub struct Cli {
    /// Print one JSON value on standard output and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no messages that are not asked for
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// What to do; nothing opens the list of battles
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the battles
    List,
    /// Check files for faults, all at once
    Check(CheckArgs),
    /// Fight one battle by the record's orders, or a replay file again
    Replay(ReplayArgs),
    /// Fight a replay file again and find the first turn and room that differ
    Verify {
        /// The replay file
        file: PathBuf,
    },
    /// Fight a battle over many seeds and set its outcomes beside the record
    Study(StudyArgs),
    /// Join the shards of one study
    Merge {
        /// Files written by `study --shard I/N --json`
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Draw a battle's map at the start, without a GPU
    Map(MapArgs),
    /// Open the window on a battle
    Play(PlayArgs),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// What changes a battle beside its file.
#[derive(Clone, Debug, Default, Args)]
pub struct Change {
    /// A patch file to apply; may be given again
    #[arg(long, value_name = "FILE")]
    pub patch: Vec<PathBuf>,
    /// A law or a kind to switch off; may be given again; `help` lists them
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    /// Whose orders both sides obey
    #[arg(long, value_enum, default_value_t = OrdersArg::Record)]
    pub orders: OrdersArg,
    /// Metres of a cell, 5 to 50
    #[arg(long, value_name = "METRES", value_parser = cell)]
    pub cell: Option<f64>,
    /// Seconds of a pulse, 1 to 10
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i32).range(1..=10))]
    pub pulse: Option<i32>,
}

impl Change {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.patch.is_empty()
            && self.without.is_empty()
            && self.orders == OrdersArg::Record
            && self.cell.is_none()
            && self.pulse.is_none()
    }
}

/// Metres of a cell, as battles can be set up.
fn cell(text: &str) -> Result<f64, String> {
    let metres: f64 = text.parse().map_err(|e: std::num::ParseFloatError| e.to_string())?;
    if (5.0..=50.0).contains(&metres) {
        Ok(metres)
    } else {
        Err(format!("{metres} is not in 5..=50"))
    }
}

/// Whose orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OrdersArg {
    /// Those of the record
    #[default]
    Record,
    /// Those of the general doctrine
    Doctrine,
}

impl From<OrdersArg> for Orders {
    fn from(arg: OrdersArg) -> Self {
        match arg {
            OrdersArg::Record => Self::Record,
            OrdersArg::Doctrine => Self::Doctrine,
        }
    }
}

/// Whether chosen inputs are drawn from their ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InputsArg {
    /// As they stand in the files
    #[default]
    Fixed,
    /// Drawn from their ranges by each seed
    Drawn,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A file or folder; nothing for all that ships and every mod found
    pub path: Option<PathBuf>,
    /// Explain a finding's code
    #[arg(long, value_name = "CODE", conflicts_with_all = ["path", "baseline"])]
    pub explain: Option<String>,
    /// Leave out findings that stand in this file (an earlier `check --json`)
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A battle's id or file, or a replay file
    #[arg(value_name = "SCENARIO|FILE")]
    pub what: String,
    /// Seed of the dice, 1 if not given; a replay file has its own
    #[arg(long)]
    pub seed: Option<u64>,
    /// Write the battle as a replay file
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Write what happened, one JSON value a line
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// What changes it
    #[command(flatten)]
    pub change: Change,
}

/// Arguments of `study`.
#[derive(Debug, Args)]
pub struct StudyArgs {
    /// A battle's id or file
    pub scenario: Option<String>,
    /// Number of seeds
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000_000), default_value_t = 40)]
    pub seeds: u64,
    /// First seed
    #[arg(long, default_value_t = 1)]
    pub from: u64,
    /// Battles at the same time; as many as there are cores if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub jobs: Option<u32>,
    /// Whether chosen inputs are drawn from their ranges
    #[arg(long, value_enum, default_value_t = InputsArg::Fixed)]
    pub inputs: InputsArg,
    /// Fight only part I of N
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// What changes it
    #[command(flatten)]
    pub change: Change,
}

/// Arguments of `map`.
#[derive(Debug, Args)]
pub struct MapArgs {
    /// A battle's id or file
    pub scenario: String,
    /// The picture to write
    #[arg(long, value_name = "OUT")]
    pub png: PathBuf,
    /// Which level to draw fully
    #[arg(long, value_enum, default_value_t = LevelArg::Ground)]
    pub level: LevelArg,
    /// Pixels of a cell
    #[arg(long, value_name = "PIXELS_PER_CELL", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub scale: u32,
}

/// A level of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LevelArg {
    /// The ground
    #[default]
    Ground,
    /// The tops of walls
    Rampart,
}

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// A battle's id or file; nothing opens the list
    pub scenario: Option<String>,
    /// The side to play
    #[arg(long)]
    pub side: Option<String>,
    /// Go on from a replay file, which brings its own battle
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["scenario", "patch", "without", "orders", "cell", "pulse"]
    )]
    pub load: Option<PathBuf>,
    /// What changes it
    #[command(flatten)]
    pub change: Change,
}
