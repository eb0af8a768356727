import { runTreasuryDays } from '../../world/treasury/run-days.ts'

runTreasuryDays(1, 150)
