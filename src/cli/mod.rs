//! The command line: the only place that prints. What it promises stands in the
//! README; machines read `--json`, exit codes are 0 done, 1 fault, 2 call, 3
//! interrupted.

mod args;
mod commands;
mod data;
mod out;
mod show;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use self::args::{Cli, Command};
use self::out::{CALL, DONE, Failure, Out};
use crate::locale::{Language, Locale};

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Runs a command line, program name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let locale = Locale::command_line(Language::of_environment());
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return refused(&error, &args, locale),
    };
    let out = Out { json: cli.json, quiet: cli.quiet, locale };
    match dispatch(&out, cli.command) {
        Ok(code) => out.end(code),
        Err(failure) => out.fail(&failure),
    }
}

fn dispatch(out: &Out, command: Option<Command>) -> Result<u8, Failure> {
    match command {
        Some(Command::List) => commands::list(out),
        Some(Command::Check(args)) => commands::check(out, &args),
        Some(Command::Replay(args)) => commands::replay(out, &args),
        Some(Command::Verify { file }) => commands::verify(out, &file),
        Some(Command::Study(args)) => commands::study(out, &args),
        Some(Command::Merge { files }) => commands::merge(out, &files),
        Some(Command::Map(args)) => commands::map(out, &args),
        Some(Command::Play(args)) => commands::play(out, Some(&args)),
        None => commands::play(out, None),
        Some(Command::Completions { shell }) => commands::completions(out, shell),
        Some(Command::Man) => commands::man(out),
    }
}

/// Arguments that clap refused, or asked for help and version.
fn refused(error: &clap::Error, args: &[OsString], locale: Locale) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Help was asked for: it must arrive, unless its reader has gone away.
        let arrived = error.print();
        let lost = arrived.is_err_and(|e| e.kind() != std::io::ErrorKind::BrokenPipe);
        return ExitCode::from(if lost { CALL } else { DONE });
    }
    let json = args.iter().any(|a| a == "--json");
    if json {
        let message = error.render().to_string();
        let out = Out { json, quiet: true, locale };
        return out.fail(&Failure::call(message.trim_end()));
    }
    let _ = error.print();
    ExitCode::from(CALL)
}
