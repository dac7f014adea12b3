import type { Busy, Ledger, OpenResponse } from '../../admission/ledger.ts'
import type { LongWork } from '../../admission/long-work.ts'
import { describeFault, isLongBody, readBody } from '../../http/read-body.ts'
import type { Visit } from './handler.ts'
import { AdminProblem } from './problem.ts'

/** Where requests are counted, and where long ones wait for each other: those of people, and those of agents. */
export interface Turnstile {
  readonly open: Ledger
  readonly longWork: LongWork
}

interface Coming {
  readonly visit: Pick<Visit, 'req'>
  /** As it is counted. Absent: of somebody who is not known yet. */
  readonly opened: OpenResponse | undefined
  readonly turnstile: Turnstile
}

/** All of a body, within the share of whose it is; if it is long, when its turn has come. */
export async function receiveBody(coming: Coming, maxBytes: number): Promise<string> {
  const { opened, turnstile } = coming
  if (opened === undefined) return readText(coming, maxBytes)
  const { open, longWork } = turnstile
  requireRoom(open.become(opened, 'body'))
  const text = await readText(coming, maxBytes)
  if (isLongBody(text)) {
    // It stands still until its turn comes, which is not its client's fault.
    opened.isWhole = true
    // Who hangs up meanwhile leaves the line, and the body goes with them.
    const isHere = await longWork.turn(opened.principal.id, {
      onCancel: leave => opened.res.once('close', leave),
    })
    if (!isHere) throw new AdminProblem('body_late', 'The client went away.')
  }
  requireRoom(open.become(opened, 'call'))
  return text
}

/** What is too long is not even read to its end. */
function readText({ visit, opened, turnstile }: Coming, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const mayGrow = (bytes: number): boolean => {
      const busy = opened === undefined ? undefined : turnstile.open.grow(opened, bytes)
      if (busy !== undefined) reject(toProblem(busy))
      return busy === undefined
    }
    if (opened !== undefined)
      opened.onLate = () =>
        reject(new AdminProblem('body_late', 'The rest of the body did not come; see limits.bodyTime.'))
    readBody(visit.req, { maxBytes, mayGrow }, (text, fault) => {
      if (text !== undefined) resolve(text)
      else reject(new AdminProblem('too_large', `It was not read: ${describeFault(fault, maxBytes)}.`))
    })
  })
}

/** Undefined: there is some. */
export function requireRoom(busy: Busy | undefined): void {
  if (busy !== undefined) throw toProblem(busy)
}

function toProblem({ message }: Busy): AdminProblem {
  return new AdminProblem('too_many', `There is no room: ${message}.`)
}
