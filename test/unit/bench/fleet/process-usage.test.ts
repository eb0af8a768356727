import { expect, test } from 'vitest'
import { usageOf } from '../../../../bench/fleet/process-usage.ts'

const files = {
  status: 'Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\nThreads:\t13\n',
  io: 'rchar: 9\nwchar: 8\nsyscr: 7\nsyscw: 6\nread_bytes: 5\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n',
  stat: '77 (a (strange) name) S 1 77 77 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 13 0 1 2 3',
}

test('the usage of a process is read from its texts, whatever the name of the program', () => {
  expect(usageOf((file) => files[file], 5)).toEqual({
    atMs: 5,
    cpuMs: 3_000,
    rssMiB: 100,
    peakRssMiB: 200,
    threads: 13,
    diskWriteBytes: 4_096,
    writeCalls: 6,
  })
})

test('a text that lacks a count is refused by its name', () => {
  expect(() => usageOf((file) => (file === 'io' ? '' : files[file]), 5)).toThrow('write_bytes')
})
