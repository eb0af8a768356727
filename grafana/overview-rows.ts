import { custodyPanels } from './custody-panels.ts'
import { corePanels, venuePanels } from './machine-panels.ts'
import { flowPanels, nowPanels, quotePanels, resultPanels } from './market-panels.ts'
import type { RowPlan } from './panel-plan.ts'

/** The overview: what a person who is called at night looks at first, from the left to the right and down. */
export const OVERVIEW_ROWS: readonly RowPlan[] = [
  { title: 'Now', panels: nowPanels() },
  { title: 'Quote', panels: quotePanels() },
  { title: 'Flow and inventory', panels: flowPanels() },
  { title: 'Profit and loss', panels: resultPanels() },
  { title: 'Self-custody: signed orders', panels: custodyPanels() },
  { title: 'Venue', panels: venuePanels() },
  { title: 'Core and process', panels: corePanels() },
]
