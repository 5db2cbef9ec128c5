//! What a pulse costs: nanoseconds per company-pulse on generated battles in
//! contact, beside a floor measured in the same run.
//!
//! The floor is a plain loop over as many 64-byte structs, ten arithmetic
//! operations each. Both are minima of interleaved repeats, so that a busy machine
//! hurts them alike. The marks: at most 250 ns at 4,400 companies, and at most 1.25
//! times the cost at 2,000.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use nine_gates::sim::Battle;
use nine_gates::sim::laws::LawSet;

/// Sizes of the battles.
const SIZES: [i32; 2] = [2_000, 4_400];
/// Pulses before the measurement: the fronts are in contact by then.
const WARM: u32 = 20;
/// Pulses of one measurement.
const MEASURED: u32 = 20;
/// Interleaved repeats.
const REPEATS: usize = 7;
/// The first mark, in nanoseconds.
const MARK_NS: f64 = 250.0;
/// The second mark: the cost at the larger size over that at the smaller.
const MARK_GROWTH: f64 = 1.25;

/// As large as a cache line.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line64([u64; 8]);

/// Ten arithmetic operations on each of `lines`, ten times over.
fn floor(lines: &mut [Line64]) -> Duration {
    let begun = Instant::now();
    for _ in 0..10 {
        for line in lines.iter_mut() {
            let l = &mut line.0;
            l[0] = l[0].wrapping_add(l[1]);
            l[1] = l[1].wrapping_mul(3);
            l[2] ^= l[0];
            l[3] = l[3].wrapping_sub(l[2]);
            l[4] = l[4].wrapping_add(l[3] >> 3);
            l[5] ^= l[4];
            l[6] = l[6].wrapping_add(l[5]);
            l[7] = l[7].wrapping_mul(5).wrapping_add(l[6]);
        }
        black_box(&mut *lines);
    }
    begun.elapsed() / 10
}

fn in_contact(companies: i32) -> Battle {
    let scenario = common::hosts(companies);
    let mut battle = Battle::new(std::sync::Arc::clone(&scenario), 1, LawSet::default());
    battle.order(&common::onset(&scenario));
    for _ in 0..WARM {
        battle.step();
    }
    battle
}

fn pulses(battle: &mut Battle, n: u32) -> Duration {
    let begun = Instant::now();
    for _ in 0..n {
        black_box(battle.step());
    }
    begun.elapsed()
}

fn per(time: Duration, companies: i32, pulses: u32) -> f64 {
    time.as_secs_f64() * 1e9 / f64::from(companies) / f64::from(pulses)
}

fn pulse(c: &mut Criterion) {
    let mut best = [[f64::MAX; 2]; 2];
    for _ in 0..REPEATS {
        for (i, size) in SIZES.into_iter().enumerate() {
            let mut lines = vec![Line64([1; 8]); size as usize];
            floor(&mut lines);
            best[i][1] = best[i][1].min(per(floor(&mut lines), size, 1));
            let mut battle = in_contact(size);
            let fighting = battle.truth().contacts.foe.iter().filter(|f| f.is_some()).count();
            assert!(
                fighting * 20 >= size as usize,
                "only {fighting} of {size} companies are in contact"
            );
            best[i][0] = best[i][0].min(per(pulses(&mut battle, MEASURED), size, MEASURED));
        }
    }
    for (i, size) in SIZES.into_iter().enumerate() {
        println!(
            "{size} companies: {:.0} ns per company-pulse, floor {:.2} ns, ratio {:.0}",
            best[i][0],
            best[i][1],
            best[i][0] / best[i][1]
        );
    }
    let growth = best[1][0] / best[0][0];
    let say = |held: bool| if held { "held" } else { "MISSED" };
    println!("mark of {MARK_NS} ns at {}: {}", SIZES[1], say(best[1][0] <= MARK_NS));
    println!(
        "mark of {MARK_GROWTH} times the cost at {}: {growth:.2}, {}",
        SIZES[0],
        say(growth <= MARK_GROWTH)
    );
    let mut group = c.benchmark_group("pulse");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    for size in SIZES {
        group.throughput(criterion::Throughput::Elements(size as u64));
        group.bench_function(size.to_string(), |b| {
            // A battle does not stand still: each sample begins at the same contact.
            b.iter_custom(|n| {
                let mut spent = Duration::ZERO;
                let mut left = u32::try_from(n).unwrap_or(u32::MAX);
                while left > 0 {
                    let part = left.min(MEASURED);
                    spent += pulses(&mut in_contact(size), part);
                    left -= part;
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(benches, pulse);
criterion_main!(benches);
