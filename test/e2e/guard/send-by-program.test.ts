import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendByProgram } from '../../../src/daemon/guard/notices/send-by-program.ts'
import { outgoingNotice } from '../../unit/daemon/guard/notices/outgoing-notice.ts'

test('a process that sends notices is ended at its deadline, and what it reported until then counts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-send-'))
  const script = join(folder, 'notify.mjs')
  writeFileSync(
    script,
    `console.log(JSON.stringify({ id: 'a', left: [], why: null }))
     setInterval(() => undefined, 1_000)`,
  )
  const send = sendByProgram([process.execPath, script], 3_000)
  const notices = ['a', 'b'].map((id) => outgoingNotice({ id }))
  expect(await send(notices)).toEqual([{ id: 'a', left: [], why: null }])
})
