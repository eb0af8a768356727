import { expect, test } from 'vitest'
import { checkCorridor } from '../../../../../src/research/diagnosis/check/limits.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { encodeRow } from '../../../../../src/store/tape/model/encode-row.ts'
import { rateRow, START } from '../../../../support/backtest-tape.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { folderWith } from '../../../daemon/config/config-fixture.ts'

const { risk } = coreConfig()
const MID = 2_512n * RATE_ONE
const band = (min: bigint, max: bigint) => ({ min: min * RATE_ONE, max: max * RATE_ONE })

const found = (core: Partial<CoreConfig>, mid: bigint | null, tape: string | null = null) =>
  checkCorridor({ core: coreConfig(core), backtest: { tape }, record: { path: null } } as LoadedConfig, mid)

test('a missing corridor fails the check of a live position, and ten percent around the present mid is proposed', async () => {
  expect(await found({}, MID)).toEqual({
    name: 'corridor',
    status: 'fail',
    detail: 'risk.priceCorridor is missing: `run` refuses to start without it',
    hint: "risk: { priceCorridor: { min: '2260', max: '2770' } } leaves 10 % around the present mid (2512); compare with another source first",
  })
  expect((await found({ mode: 'dry-run' }, MID)).status).toBe('warn')
})

test('the proposal covers the mids of the tape as well, of which the present one may be a lie', async () => {
  const rows = [2_380n, 2_440n, 2_501n].map((mid, n) => encodeRow(rateRow(START + n, mid * RATE_ONE)))
  const folder = folderWith({ 'tape.jsonl': `${rows.join('\n')}\n` })
  const { hint } = await found({}, MID, `${folder}/tape.jsonl`)
  expect(hint).toContain("{ min: '2140', max: '2770' }")
  expect(hint).toContain('(2380 to 2501)')
})

test('mizani check proposes no corridor without a mid or a tape', async () => {
  expect((await found({}, null)).hint).toContain('for a proposal')
})

test.each([
  ['holds the mid', band(2_300n, 2_800n), 'ok'],
  ['does not hold the mid', band(2_600n, 2_800n), 'fail'],
  ['ends near below the mid', band(2_500n, 2_800n), 'warn'],
  ['ends near above the mid', band(2_300n, 2_530n), 'warn'],
  ['allows twice the mid', band(2_300n, 5_100n), 'warn'],
  ['allows half the mid', band(1_200n, 2_800n), 'warn'],
] as const)('a corridor that %s: %s', async (_, priceCorridor, status) => {
  expect((await found({ risk: { ...risk, priceCorridor } }, MID)).status).toBe(status)
})
