import { Option } from 'commander'
import { type CommandLine, keys, numberOption } from '../../options.ts'

/** Strategies against simulated markets. */
export function registerTournament(program: CommandLine): void {
  const count = (min: number, max: number, isCheckedLater = true) =>
    numberOption({ whole: true, min, max, isCheckedLater })
  program
    .command('tournament')
    .description('play strategies against simulated markets and compare them seed by seed')
    .option('--config <file>', 'strategies, grids, scenarios and seeds; default config/tournament.yaml')
    .option('--strategies <names>', 'only these strategies of the file, or others by name or path', keys)
    .option(
      '--ablate <name>',
      'play this strategy of the file against itself without each of its ingredients',
    )
    .option('--without <names>', 'with --ablate: only these ingredients', keys)
    .addOption(
      new Option('--adverse [markets]', 'print the regret against tuned baselines in the adverse markets')
        .choices(['all', 'development'])
        .preset('all'),
    )
    .option('--final [commit]', 'derive the test seeds from a commit; default the last one of the code')
    .option('--scenarios <names>', 'only these scenarios, or `all`', keys)
    .option('--seeds <n>', 'number of test seeds', count(2, 10_000))
    .option('--days <n>', 'days in a world', count(14, 1_000))
    .option('--first-seed <n>', 'the first test seed', count(0, 2_147_483_647))
    .option('--training-seeds <n>', 'number of seeds on which grids are tuned', count(2, 10_000))
    .option(
      '--workers <n>',
      'number of threads; default one per core, 0 only with --queue',
      count(0, 256, false),
    )
    .option('--out <folder>', 'folder of the results', 'tournament')
    .option(
      '--queue <url>',
      'share the plays through this PostgreSQL database with the same command elsewhere',
    )
    .option(
      '--lease-seconds <n>',
      'other workers take over the plays of a worker without a heartbeat for this long',
      numberOption({ min: 1, max: 3_600 }),
      20,
    )
    .shared('json')
    .more(TOURNAMENT)
    .action(async (options) => (await import('./tournament.ts')).tournament(options))
}

const TOURNAMENT = `
Every strategy runs in the daemon's own core and in the same worlds: rates, takers, rivals and outages are drawn from the seed
and do not depend on the quotes. Grids are tuned per scenario on training seeds; the tables use other seeds. Each result is
stored at once, so the same command resumes. See docs/tournaments.md.
With --queue each process that runs the same command plays a part, stores all results in its own --out and ends with the same
tables. The database may be shared with other strategies, parameters, scenarios or seeds.
--ablate shows what each ingredient (a parameter, or an input that the strategy does not get) contributes in USD per 90 days, seed by
seed. The file declares them: see strategies[].ingredients in docs/tournaments.md.
--adverse adds seeds to a market until the error of each difference is a third of the regret that passes. --scenarios plays others.
Examples:
  $ npx mizani tournament --out tournament
  $ npx mizani tournament --scenarios normal,devaluation --seeds 20 --out quick
  $ npx mizani tournament --strategies constant,./my-strategy.ts --config my-tournament.yaml --json
  $ npx mizani tournament --ablate optimal --scenarios normal,undercut --seeds 20 --out ablation
  $ npx mizani tournament --adverse development --strategies constant,skew,shift-25,optimal-25 --out adverse
  $ npx mizani tournament --out tournament --queue postgres://desk@db/tournaments`
