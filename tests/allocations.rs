//! A warm pulse asks for no memory, but for what the journal tells: alone in its
//! process, with an allocator that counts.

#![allow(unsafe_code, reason = "an allocator cannot be written without it")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nine_gates::sim::Battle;
use nine_gates::sim::journal::Happening;
use nine_gates::sim::laws::LawSet;

/// The system's allocator, and how often it was asked.
struct Counting;

static ASKED: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Companies of the battle.
const COMPANIES: i32 = 1_000;
/// Pulses before the count: the fronts are in contact, and every list has been full.
const WARM: u32 = 40;
/// Pulses counted.
const COUNTED: u32 = 40;
/// Lists that may still grow, and the journal itself, over all pulses counted.
const GROWTH: u64 = 40;

#[test]
fn a_warm_pulse_asks_for_no_memory() {
    let scenario = common::hosts(COMPANIES);
    let mut battle = Battle::new(Arc::clone(&scenario), 1, LawSet::default());
    battle.order(&common::onset(&scenario));
    for _ in 0..WARM {
        battle.step();
    }
    let told = battle.journal().len();
    let before = ASKED.load(Ordering::Relaxed);
    for _ in 0..COUNTED {
        battle.step();
    }
    let asked = ASKED.load(Ordering::Relaxed) - before;
    // Who breaks has his causes told, in a list of their own.
    let entries = &battle.journal()[told..];
    let broke = entries.iter().filter(|e| matches!(e.what, Happening::Broke { .. })).count() as u64;
    println!("{COUNTED} pulses: {asked} times, {broke} companies broke");
    assert!(asked <= broke + GROWTH, "{asked} times in {COUNTED} pulses, {broke} broke");
}
