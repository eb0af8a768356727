import { z } from 'zod'
import { feedSection, regimeSection, restockingSection, statedSection, termsSection } from './conditions.ts'
import { assumed, measured, plusMinus, SPELLS, upTo } from './parameter.ts'

const share = upTo(1)
const few = upTo(30)
const spreads = z.array(z.int().min(10).max(500)).max(10)

const SERIES = 'published USD/TZS series'
const MONTHS = 'drifts of months are 30 bps a day, monthly means have moved 600 to 900 bps'
const FLOW = '70 takers and 25,000 USD a day on both sides together'

const rateSection = z.strictObject({
  sigmaBps: measured(
    upTo(500),
    'bps per square root of a day',
    'volatility of the true rate on the days it moves',
    `${SERIES}: with kappa and noise it gives steps of sd 17.1 (data 17.4)`,
  ),
  driftBpsPerDay: measured(
    plusMinus(200),
    'bps a day',
    'mean of the drift; + = the shilling weakens',
    MONTHS,
  ),
  driftSdBpsPerDay: measured(
    upTo(200),
    'bps a day',
    'stationary sd of the drift (Ornstein-Uhlenbeck)',
    MONTHS,
  ),
  driftHalfLifeDays: assumed(upTo(365).min(0.1), 'days', 'half-life of the drift', 'regimes last weeks'),
  movesAtWeekends: assumed(z.boolean(), 'yes or no', 'whether it moves at weekends', 'a street price does'),
  runs: assumed(few, SPELLS, 'runs on the rate, Poisson, beginning on days 3 to 77'),
  runDays: assumed(z.int().min(1).max(30), 'working days', 'length of a run'),
  runBps: measured(
    upTo(2_000),
    'bps a day',
    'mean move per day of a run, at least 20, spread over 06:00 to 14:00',
    'the largest published step is 133, which is about 180 before smoothing',
  ),
  runSdBps: assumed(upTo(2_000), 'bps a day', 'sd of that move'),
  runDirection: assumed(z.enum(['up', 'down', 'either']), 'direction', 'up = the shilling weakens'),
  runBackShare: measured(
    share,
    'share of the run',
    'the part that returns, a tenth on each working day of the next 14 days',
    'overshooting of the appreciations on record',
  ),
})

const publicationSection = z.strictObject({
  kappa: measured(
    z.number().min(0.01).max(1),
    'share of the gap',
    'how far the published level moves to the mean of the previous working day',
    `autocorrelation of the ${SERIES}; the board of a bank alone would give .08`,
  ),
  noiseBps: measured(upTo(200), 'bps', 'rounding and composition of the published figure', SERIES),
  holds: measured(
    few,
    SPELLS,
    'spells in which nothing is published; 7 of 10 begin with the next run',
    'the mid of the venue has been weeks old',
  ),
  holdDays: assumed(z.int().min(0).max(60), 'calendar days', 'length of such a spell'),
  typos: assumed(few, SPELLS, 'updates that are mistyped and corrected after 2 hours'),
  typoBps: assumed(upTo(2_000), 'bps', 'size of a mistyped update, either sign'),
  atHours: assumed(
    z.array(z.int().min(0).max(21)).min(1).max(8),
    'hours UTC',
    'when the mid is published; all but the first follow the day so far',
    'the central bank publishes in the morning',
  ),
})

const LAW = 'law of the reservation spread around its mean; equal = every taker has the mean'
const PATIENCE = 'a taker of x > 1 times the mean amount accepts the spread over x to this power'
const ONE_SIDED = 'spells of 7 days in which takers of one side only come'

const script = z.strictObject({
  side: z.enum(['bid', 'ask']),
  usd: z.number().min(1).max(100_000),
  everyHours: z.number().min(0.05).max(2_400),
  reservationBps: upTo(1_000),
})

const retailSection = z.strictObject({
  askPerDay: assumed(upTo(2_000), 'takers a day', 'takers who bring dollars (our ask: we buy them)', FLOW),
  bidPerDay: assumed(upTo(2_000), 'takers a day', 'takers who want dollars (our bid: we sell them)', FLOW),
  reservationBps: assumed(
    z.number().min(1).max(1_000),
    'bps',
    'mean of the exponential reservation spread, net of the protocol fee',
    'the outside option is the board of a bank at 154 bps either side',
  ),
  knowingShare: assumed(
    share,
    'share of the takers',
    'takers who see the true rate, not the mid',
    'most compare with a bank',
  ),
  paydayFactor: assumed(
    upTo(20).min(1),
    'factor',
    'takers with dollars on days 23 to 26 of 30',
    'salaries, remittances',
  ),
  seasonShare: assumed(
    share,
    'share',
    'amplitude of 60 days: more dollars brought, fewer wanted',
    'harvest and tourism',
  ),
  law: assumed(z.enum(['exponential', 'uniform', 'equal']), 'law', LAW, 'the usual law'),
  sizePatience: assumed(z.number().min(0).max(3), 'exponent', PATIENCE),
  oneSided: assumed(few, SPELLS, ONE_SIDED),
  scripts: assumed(z.array(script).max(10), 'takers', 'scripts that trade `usd` every so many hours'),
})

const informedSection = z.strictObject({
  looksPerDay: assumed(
    upTo(2_000),
    'looks a day',
    'how often an informed taker compares our quote with what it knows',
    'from once in three hours to each quarter of an hour, which is a script',
  ),
  errorBps: assumed(upTo(200), 'bps', 'error with which it sees the gap', 'a board or a peer-to-peer quote'),
  marginBps: assumed(
    upTo(500),
    'bps',
    'gain that it requires beyond the spread',
    'the protocol fee and a visit',
  ),
  looksAfterTypo: assumed(
    z.int().min(0).max(500),
    'looks',
    'further looks after a mistyped update, 5 minutes apart on average, from 07:10',
    'a mistyped rate is noticed by many',
  ),
})

const REACTION = 'time after our decision at which it answers; 30 = at the next half hour, before we decide'

const rivalsSection = z.strictObject({
  followBps: assumed(
    spreads,
    'bps',
    'rivals that follow the true rate up to 250 from the mid',
    'others have a feed',
  ),
  staticBps: assumed(
    spreads,
    'bps',
    'rivals with a constant spread, 6 bps of noise',
    'the spreads at the venue',
  ),
  undercut: assumed(z.boolean(), 'yes or no', 'a rival under the best other quote, ours too', 'it reacts'),
  undercutByBps: assumed(plusMinus(100), 'bps', 'how far below that quote', 'beyond the tolerance'),
  undercutFloorBps: assumed(z.number().min(10).max(500), 'bps', 'its lowest spread', 'its costs'),
  undercutTopBps: assumed(z.number().min(10).max(500), 'bps', 'its highest spread', 'it wants customers'),
  reactionMinutes: assumed(z.number().min(0).max(30), 'minutes', REACTION, 'it polls as we do'),
})

const incidentsSection = z.strictObject({
  depegs: assumed(few, SPELLS, 'falls of the stablecoin by 120 bps and more that the mid does not show'),
  outagesPerDay: assumed(z.number().min(0).max(24), 'outages a day', 'spells in which we cannot decide'),
  outageHours: assumed(z.number().min(0).max(240), 'hours', 'mean length of an outage, exponential'),
})

/** The sections of a scenario. */
export const sections = {
  rate: rateSection,
  publication: publicationSection,
  retail: retailSection,
  informed: informedSection,
  rivals: rivalsSection,
  feed: feedSection,
  incidents: incidentsSection,
  terms: termsSection,
  restocking: restockingSection,
  regime: regimeSection,
  stated: statedSection,
}
