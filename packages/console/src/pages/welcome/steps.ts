import type { Welcome } from '../../api/client.ts'

export interface Step {
  readonly id: 'servers' | 'review' | 'connect'
  readonly isDone: boolean
}

/** Returns the three steps to a first call, and for each step whether it is done. */
export function stepsOf({ servers, waiting, agents, callsSeen }: Welcome): readonly Step[] {
  return [
    { id: 'servers', isDone: servers > 0 },
    { id: 'review', isDone: servers > 0 && waiting === 0 },
    { id: 'connect', isDone: agents > 0 && callsSeen > 0 },
  ]
}

/**
 * Returns true if setup is complete, which is the case after the first call. Tools that wait for review later are shown
 * on the review page.
 */
export function isSetUp(welcome: Welcome): boolean {
  return welcome.servers > 0 && welcome.callsSeen > 0
}
