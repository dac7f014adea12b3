import type { Welcome } from '../../api/client.ts'

export interface Step {
  readonly id: 'servers' | 'review' | 'connect'
  readonly isDone: boolean
}

/** The three steps from nothing to a first call, each judged by what is there. */
export function stepsOf({ servers, waiting, agents, callsSeen }: Welcome): readonly Step[] {
  return [
    { id: 'servers', isDone: servers > 0 },
    { id: 'review', isDone: servers > 0 && waiting === 0 },
    { id: 'connect', isDone: agents > 0 && callsSeen > 0 },
  ]
}

/** New tools that wait later on are the inbox's matter: set up means that a call has been seen. */
export function isSetUp(welcome: Welcome): boolean {
  return welcome.servers > 0 && welcome.callsSeen > 0
}
