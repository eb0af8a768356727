//! hftbacktest's crate over a drawn tape: hftbacktest-peer FOLDER STEP_MS. The feed, in memory, is that of
//! hftbacktest_numba.py: a new mid clears the book and puts a bid and an ask a tick away, an unchanged one repeats
//! its bid, a taker is one trade. No latency, no fees, orders are filled whole.
use std::{fs, path::Path, time::Instant};

use hftbacktest::{
    backtest::{
        Backtest, ExchangeKind, L2AssetBuilder,
        assettype::LinearAsset,
        data::{Data, DataSource},
        models::{CommonFees, ConstantLatency, RiskAdverseQueueModel, TradingValueFeeModel},
    },
    prelude::*,
};

const START_MS: i64 = 1_735_689_600_000;
const MS: i64 = 1_000_000;
const TICK: f64 = 0.0001;
const LOT: f64 = 100.0;
const BOTH: u64 = EXCH_EVENT | LOCAL_EVENT;

/// An order of one side: what stands, and where, in ten-thousandths of a shilling.
#[derive(Default)]
struct Standing {
    id: u64,
    at: i64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, step_ms] = arguments.as_slice() else {
        eprintln!("hftbacktest-peer FOLDER STEP_MS");
        std::process::exit(2)
    };
    let step_ns = step_ms.parse::<i64>().expect("STEP_MS is a whole number") * MS;
    let mut hbt = backtest_of(&feed_of(Path::new(folder), step_ns));
    // From here on the strategy looks a millisecond after each mid.
    hbt.elapse(MS).expect("the feed has begun");
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    trade(&mut hbt, step_ns);
    let wall = wall.elapsed().as_secs_f64();
    let cpu = cpu.zip(cpu_seconds()).map_or(wall, |(from, to)| to - from);
    let state = hbt.state_values(0);
    println!(
        "{{\"cpuSeconds\":{cpu},\"wallSeconds\":{wall},\"peakMiB\":{},\"fills\":{},\"lots\":{},\"cash\":\"{}\"}}",
        peak_mib(),
        state.num_trades,
        state.position / LOT,
        state.balance
    );
}

fn trade(hbt: &mut Backtest<HashMapMarketDepth>, step_ns: i64) {
    let (mut lots, mut last_id) = (0, 0);
    let (mut bid, mut ask) = (Standing::default(), Standing::default());
    while hbt.elapse(step_ns).expect("the feed is in order") == ElapseResult::Ok {
        let book = hbt.depth(0);
        let mid = (book.best_bid_tick() + book.best_ask_tick()) / 20_000;
        let held = (hbt.position(0) / LOT).round() as i64;
        if held != lots {
            // Orders are filled whole: the side that was hit stands no more.
            if held > lots { bid.id = 0 } else { ask.id = 0 }
            lots = held;
            hbt.clear_inactive_orders(Some(0));
        }
        let (buy_at, sell_at) = (mid * (9_940 - 2 * lots), mid * (10_060 - 2 * lots));
        if bid.id == 0 {
            last_id += 1;
            bid.id = last_id;
            hbt.submit_buy_order(0, bid.id, price(buy_at), LOT, TimeInForce::GTX, OrdType::Limit, false).unwrap();
        } else if bid.at != buy_at {
            hbt.modify(0, bid.id, price(buy_at), LOT, false).unwrap();
        }
        if ask.id == 0 {
            last_id += 1;
            ask.id = last_id;
            hbt.submit_sell_order(0, ask.id, price(sell_at), LOT, TimeInForce::GTX, OrdType::Limit, false).unwrap();
        } else if ask.at != sell_at {
            hbt.modify(0, ask.id, price(sell_at), LOT, false).unwrap();
        }
        (bid.at, ask.at) = (buy_at, sell_at);
    }
}

fn price(at: i64) -> f64 {
    at as f64 * TICK
}

fn backtest_of(feed: &[Event]) -> Backtest<HashMapMarketDepth> {
    let asset = L2AssetBuilder::new()
        .data(vec![DataSource::Data(Data::from_data(feed))])
        .latency_model(ConstantLatency::new(0, 0))
        .asset_type(LinearAsset::new(1.0))
        .fee_model(TradingValueFeeModel::new(CommonFees::new(0.0, 0.0)))
        .exchange(ExchangeKind::NoPartialFillExchange)
        .queue_model(RiskAdverseQueueModel::new())
        .depth(|| HashMapMarketDepth::new(TICK, 1.0))
        .build()
        .expect("every part of the asset is given");
    Backtest::builder().add_asset(asset).build().expect("there is one asset")
}

fn feed_of(folder: &Path, step_ns: i64) -> Vec<Event> {
    let mids = integers(&folder.join("mids.i32"));
    let takers = integers(&folder.join("takers.i32"));
    let mut takers = takers.chunks_exact(3).peekable();
    let mut feed = Vec::with_capacity(3 * mids.len() + takers.len());
    let mut put = |ts: i64, kind: u64, px: f64, qty: f64| {
        feed.push(Event { ev: BOTH | kind, exch_ts: ts, local_ts: ts, px, qty, order_id: 0, ival: 0, fval: 0.0 });
    };
    for (i, &mid) in mids.iter().enumerate() {
        let ts = START_MS * MS + i as i64 * step_ns;
        let is_new = i == 0 || mids[i - 1] != mid;
        if is_new {
            put(ts, DEPTH_CLEAR_EVENT, 0.0, 0.0);
        }
        put(ts, DEPTH_EVENT | BUY_EVENT, f64::from(mid) - TICK, 1e6);
        if is_new {
            put(ts, DEPTH_EVENT | SELL_EVENT, f64::from(mid) + TICK, 1e6);
        }
        while let Some(&[_, side, bps]) = takers.next_if(|taker| taker[0] as usize == i) {
            let at = i64::from(mid) * (10_000 - i64::from(side) * i64::from(bps));
            let kind = TRADE_EVENT | if side == 1 { SELL_EVENT } else { BUY_EVENT };
            put(ts + step_ns / 2, kind, at as f64 / 1e4, LOT);
        }
    }
    feed
}

fn integers(file: &Path) -> Vec<i32> {
    let bytes = fs::read(file).unwrap_or_else(|error| panic!("{} cannot be read: {error}", file.display()));
    bytes.chunks_exact(4).map(|four| i32::from_le_bytes(four.try_into().unwrap())).collect()
}

/// Processor time of this process where the system counts it (Linux), in seconds.
fn cpu_seconds() -> Option<f64> {
    let counted = fs::read_to_string("/proc/self/schedstat").ok()?;
    counted.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
}

fn peak_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib / 1024)
}
