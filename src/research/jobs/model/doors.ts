import type { Door } from './door.ts'
import { avellanedaStoikovDoor } from './doors/avellaneda-stoikov.ts'
import { compareDoor } from './doors/compare.ts'
import { dealerDoor } from './doors/dealer.ts'
import { deflatedSharpeDoor } from './doors/deflated-sharpe.ts'
import { glftDoor } from './doors/glft.ts'
import { glftSizeDoor } from './doors/glft-size.ts'
import { posteriorSpreadDoor } from './doors/posterior-spread.ts'
import { fairValueDoor } from './doors/fair-value.ts'
import { leakDoor, pickoffDoor } from './doors/informed-looks.ts'
import { oneSideDoor } from './doors/one-side.ts'
import { policyDoor } from './doors/policy.ts'
import { publishedRateDoor } from './doors/published-rate.ts'
import { priceWarDoor, replyDoor } from './doors/rivals.ts'
import { takeAllDoor } from './doors/take-all.ts'

/** Every model of `mizani model`, in the order of its list: one line a model. */
export const DOORS: readonly Door[] = [
  avellanedaStoikovDoor,
  glftDoor,
  glftSizeDoor,
  dealerDoor,
  posteriorSpreadDoor,
  compareDoor,
  policyDoor,
  pickoffDoor,
  leakDoor,
  takeAllDoor,
  oneSideDoor,
  replyDoor,
  priceWarDoor,
  fairValueDoor,
  publishedRateDoor,
  deflatedSharpeDoor,
]
