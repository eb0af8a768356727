import { z } from 'zod'
import { feedSection, regimeSection, restockingSection, statedSection, termsSection } from './conditions.ts'
import { assumed, measured } from './parameter.ts'

const bps = (max: number) => z.number().min(0).max(max)
const signedBps = (max: number) => z.number().min(-max).max(max)
const share = z.number().min(0).max(1)

const SERIES = 'published USD/TZS series'
const MONTHS = 'drifts of months are 30 bps a day, monthly means have moved 600 to 900 bps'
const STRESS = 'a stress, not an estimate'

const rateSection = z.strictObject({
  sigmaBps: measured(
    bps(500),
    'bps per square root of a day',
    'volatility of the true rate on the days it moves',
    `${SERIES}: with kappa and noise it gives steps of sd 17.1 (data 17.4)`,
  ),
  driftBpsPerDay: measured(
    signedBps(200),
    'bps a day',
    'mean of the drift; positive = the shilling weakens',
    MONTHS,
  ),
  driftSdBpsPerDay: measured(bps(200), 'bps a day', 'stationary sd of the drift around its mean', MONTHS),
  driftHalfLifeDays: assumed(
    z.number().min(0.1).max(365),
    'days',
    'half-life of the drift (Ornstein-Uhlenbeck, stationary at the start)',
    'regimes last weeks',
  ),
  movesAtWeekends: assumed(
    z.boolean(),
    'yes or no',
    'whether the true rate moves on Saturdays and Sundays',
    'the market for dollars is closed at weekends, its street price is not',
  ),
  runs: assumed(
    z.number().min(0).max(30),
    'expected number in 90 days',
    'runs on the rate, Poisson, beginning on days 3 to 77',
    STRESS,
  ),
  runDays: assumed(z.int().min(1).max(30), 'working days', 'length of a run', STRESS),
  runBps: measured(
    bps(2_000),
    'bps a day',
    'mean move per day of a run, at least 20, spread over 06:00 to 14:00',
    'the largest published step is 133, which is about 180 before smoothing',
  ),
  runSdBps: assumed(bps(2_000), 'bps a day', 'sd of that move', STRESS),
  runDirection: assumed(z.enum(['up', 'down', 'either']), 'direction', 'up = the shilling weakens', STRESS),
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
  noiseBps: measured(bps(200), 'bps', 'rounding and composition of the published figure', SERIES),
  holds: measured(
    z.number().min(0).max(30),
    'expected number in 90 days',
    'spells in which nothing is published; 7 of 10 begin with the next run',
    'the mid of the venue has been weeks old',
  ),
  holdDays: assumed(z.int().min(0).max(60), 'calendar days', 'length of such a spell', STRESS),
  typos: assumed(
    z.number().min(0).max(30),
    'expected number in 90 days',
    'updates that are mistyped and corrected after 2 hours',
    STRESS,
  ),
  typoBps: assumed(bps(2_000), 'bps', 'size of a mistyped update, either sign', STRESS),
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
  reservationBps: bps(1_000),
})

const retailSection = z.strictObject({
  askPerDay: assumed(
    z.number().min(0).max(2_000),
    'takers a day',
    'takers who bring dollars (our ask: we buy them)',
    '70 takers and 25,000 USD a day on both sides together',
  ),
  bidPerDay: assumed(
    z.number().min(0).max(2_000),
    'takers a day',
    'takers who want dollars (our bid: we sell them)',
    '70 takers and 25,000 USD a day on both sides together',
  ),
  reservationBps: assumed(
    z.number().min(1).max(1_000),
    'bps',
    'mean of the exponential reservation spread, net of the protocol fee',
    'the outside option is the board of a bank at 154 bps either side',
  ),
  knowingShare: assumed(
    share,
    'share of the takers',
    'takers who know the true rate and measure from it; the others measure from the mid',
    'most customers compare with a bank',
  ),
  paydayFactor: assumed(
    z.number().min(1).max(20),
    'factor',
    'takers who bring dollars on days 23 to 26 of each 30',
    'salaries and remittances at the end of the month',
  ),
  seasonShare: assumed(
    share,
    'share',
    'amplitude of a season of 60 days: more dollars brought, fewer wanted, and back',
    'harvest and tourism',
  ),
  law: assumed(
    z.enum(['exponential', 'uniform', 'equal']),
    'law',
    LAW,
    'the usual law of arrivals by distance',
  ),
  sizePatience: assumed(z.number().min(0).max(3), 'exponent', PATIENCE, STRESS),
  oneSided: assumed(z.number().min(0).max(30), 'expected number in 90 days', ONE_SIDED, STRESS),
  scripts: assumed(
    z.array(script).max(10),
    'takers',
    'scripts that trade `usd` dollars every so many hours',
    STRESS,
  ),
})

const informedSection = z.strictObject({
  looksPerDay: assumed(
    z.number().min(0).max(2_000),
    'looks a day',
    'how often an informed taker compares our quote with what it knows',
    'from once in three hours to each quarter of an hour, which is a script',
  ),
  errorBps: assumed(
    bps(200),
    'bps',
    'error with which it sees the gap between the true rate and the mid',
    'a board or a peer-to-peer quote',
  ),
  marginBps: assumed(
    bps(500),
    'bps',
    'gain that it requires beyond the spread',
    'the protocol fee of 10 and the cost of a visit',
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
    z.array(z.int().min(10).max(500)).max(10),
    'bps',
    'rivals whose quotes follow the true rate; off while it is 250 from the mid',
    'someone else has a feed too',
  ),
  staticBps: assumed(
    z.array(z.int().min(10).max(500)).max(10),
    'bps',
    'rivals with a constant spread and 6 bps of noise',
    'the spreads seen at the venue',
  ),
  undercut: assumed(
    z.boolean(),
    'yes or no',
    'a rival 6 bps under the best other quote, ours too, from 75 down to 22',
    'a reactive competitor',
  ),
  undercutByBps: assumed(
    signedBps(100),
    'bps',
    'how far it is under that quote',
    'just out of the tolerance',
  ),
  undercutFloorBps: assumed(z.number().min(10).max(500), 'bps', 'its lowest spread', 'its costs'),
  undercutTopBps: assumed(z.number().min(10).max(500), 'bps', 'its highest spread', 'it wants customers'),
  reactionMinutes: assumed(z.number().min(0).max(30), 'minutes', REACTION, 'it polls as we do'),
})

const incidentsSection = z.strictObject({
  depegs: assumed(
    z.number().min(0).max(30),
    'expected number in 90 days',
    'falls of the stablecoin by 120 bps and more that the mid does not show',
    STRESS,
  ),
  outagesPerDay: assumed(
    z.number().min(0).max(24),
    'outages a day',
    'spells in which we cannot decide',
    STRESS,
  ),
  outageHours: assumed(z.number().min(0).max(240), 'hours', 'mean length of an outage, exponential', STRESS),
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
