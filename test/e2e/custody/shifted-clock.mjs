// Loaded before the daemon (`--import`): its clock is so many milliseconds off.
const offsetMs = Number(process.env['TEST_CLOCK_OFFSET_MS'] ?? 0)
const trueNow = Date.now.bind(Date)
Date.now = () => trueNow() + offsetMs
