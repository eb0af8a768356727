/** What campaigns have found so far, by hand: a row for each defect that a failed day showed. */
export const FOUND = [
  '| Found on | Defect | Since then |',
  '|---|---|---|',
  '| treasury 24, 49, 136 | The proceeds of a swap were read while another claim of the same token was open, so that the claim found its money gone. | A swap waits until the claim has ended. |',
  '| handover 25, 175 | The account still showed the state before a sweep, and the next holder sent the activation again. | It waits until the first activation has ended. |',
  '| handover 524 | With a slow PostgreSQL a repeated commit had its whole time twice. The loss was noticed too late for the safe quote. | Both tries share the time. |',
  '| handover 11 | A sign of life that was due during a slow one was skipped. The holder noticed a whole interval late that it had lost the database. | It follows at once. |',
  '| handover 193 | The grant took 1.4 s and the database was cut off then. The first sign of life, a second later, failed too late for the safe quote. | The first one is sent at once. |',
  '| handover 2146, 2197 | During a slow commit the sign of life was skipped for an interval. If the next one failed too, no time was left for the safe quote. | It is sent as soon as the loop counts. |',
  '| handover 2642 | The last of several slow commits began when the lease was almost over, and used the time of the safe quote. | No commit begins that would end so late. |',
  '| treasury 2212, 3772 | A payout that came back before its intent learned of it was booked as slippage, and remained unreconciled. The proceeds of a swap were undone only if nothing else differed. Only the books were wrong, no unit was lost. | A later reading undoes either. |',
  '| pool 2204 | After an hour of a break, a fee explained the oldest waiting reading and no newer one. The books counted as reconciled until the next reading. | The newer readings stay in the break until a reading after the correction proves them. |',
  '| treasury 301, 2139 | Error of the simulated people: they informed the position of the last of two lots only, and not of what a failed activation left in its wallet. The books named the differences and raised the alert. | The simulation is corrected. |',
  '| pool 3860, handover 3331 | Errors of the worlds: a day ended during an open activation, and an activation that a person ordered from one daemon was sent by the next one. | The worlds are corrected. |',
]
