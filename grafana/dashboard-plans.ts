import { earnedAnswers, provenAnswers, quotingAnswers } from './answer-panels.ts'
import { custodyAnswers, custodyPanels } from './custody-panels.ts'
import { fleetLimits, fleetPanels, fleetTable, fleetTotals } from './fleet-panels.ts'
import { corePanels, venueAnswers, venuePanels } from './machine-panels.ts'
import {
  bookPanels,
  flowPanels,
  inventoryPanels,
  quotePanels,
  resultPanels,
  whyPanels,
} from './market-panels.ts'
import { notifyPanels } from './notify-panels.ts'
import type { DashboardPlan } from './panel-plan.ts'
import { challengerPanels, scorecardPanels } from './scorecard-panels.ts'
import { treasuryAnswers, treasuryFlow, treasuryPlaces, treasuryTrust } from './treasury-panels.ts'

/** The dashboards: each asks its questions from the top down, with the answer first and the reasons below. */
export const DASHBOARD_PLANS: readonly DashboardPlan[] = [
  {
    uid: 'mizani-overview',
    title: 'mizani overview',
    description: 'What a person who is called at night looks at first: one question a row.',
    positions: 'first',
    rows: [
      { title: 'Am I quoting?', panels: [...quotingAnswers(), ...quotePanels()] },
      { title: 'Is anything unreconciled?', panels: [...provenAnswers(), ...bookPanels()] },
      { title: 'What did it earn, and why?', panels: [...earnedAnswers(), ...resultPanels()] },
      { title: 'What do I hold?', panels: inventoryPanels() },
    ],
  },
  {
    uid: 'mizani-position',
    title: 'mizani position',
    description: 'Everything of one position, from the quote to the machine.',
    positions: 'one',
    rows: [
      { title: 'Am I quoting?', panels: [...quotingAnswers(), ...quotePanels()] },
      { title: 'Why this quote?', panels: whyPanels() },
      { title: 'Who trades with me?', panels: flowPanels() },
      { title: 'What do I hold?', panels: inventoryPanels() },
      { title: 'Is anything unreconciled?', panels: [...provenAnswers(), ...bookPanels()] },
      { title: 'What did it earn, and why?', panels: [...earnedAnswers(), ...resultPanels()] },
      { title: 'Does it earn what the calibration expects?', panels: scorecardPanels() },
      { title: 'Would the challenger earn more?', panels: challengerPanels() },
      { title: 'Does the machine keep up?', panels: corePanels() },
      { title: 'Are people told?', panels: notifyPanels() },
    ],
  },
  {
    uid: 'mizani-venue',
    title: 'mizani venue health',
    description:
      'How the venue answers, what it still allows, and whether its mid and its clock are to be trusted.',
    positions: 'first',
    rows: [
      { title: 'Does the venue answer?', panels: venueAnswers() },
      { title: 'Since when, and where?', panels: venuePanels() },
    ],
  },
  {
    uid: 'mizani-rfq',
    title: 'mizani RFQ',
    description: 'Self-custody: signed orders, what they promise, and the chain that settles them.',
    positions: 'first',
    rows: [
      { title: 'Are my promises covered?', panels: custodyAnswers() },
      { title: 'Orders, signing and the chain', panels: custodyPanels() },
    ],
  },
  {
    uid: 'mizani-treasury',
    title: 'mizani treasury',
    description: 'Capital that moves by policy: where every unit is, what moves, and who is waited for.',
    positions: 'first',
    rows: [
      { title: 'Does it need me?', panels: treasuryAnswers() },
      { title: 'Where is every unit?', panels: treasuryPlaces() },
      { title: 'What moves, and over which routes?', panels: treasuryFlow() },
      { title: 'Is what it rests on sound?', panels: treasuryTrust() },
    ],
  },
  {
    uid: 'mizani-fleet',
    title: 'mizani fleet',
    description: 'All positions side by side.',
    positions: 'all',
    rows: [
      { title: 'How is the fleet?', panels: fleetTotals() },
      { title: 'Is the fleet within its limits?', panels: fleetLimits() },
      { title: 'Which position needs me?', panels: fleetTable() },
      { title: 'Side by side', panels: fleetPanels() },
    ],
  },
]
