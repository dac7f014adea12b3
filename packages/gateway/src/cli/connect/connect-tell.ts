import { currentPlace, showFile } from '../../client-configs/place.ts'
import type { ConfigImport } from '../../client-configs/plan-config-import.ts'
import { revealLine } from '../show/review-text.ts'
import { type Job, namesOf } from './connect-job.ts'

/** What --replace does, for a person. */
export function describeMove(moved: ConfigImport | undefined): string {
  if (moved === undefined) return ''
  const kept = moved.skipped
    .filter(({ isThere }) => !isThere)
    .map(({ name, why }) => `  ${revealLine(name, 80)}: ${revealLine(why)}\n`)
  const gone = namesOf(moved)
  return [
    gone.length === 0
      ? ''
      : `Behind the gateway, where their tools wait for review: ${gone.map(name => revealLine(name, 80)).join(', ')}\n`,
    kept.length === 0 ? '' : `These stay where they are:\n${kept.join('')}`,
    '\n',
  ].join('')
}

interface Ending {
  readonly isWritten: boolean
  /** Whether the gateway answers. */
  readonly isThere: boolean
  readonly agent: string
  readonly backup: string | undefined
}

/** What was done, and what to do next. */
export function conclude({ client, file }: Job, { isWritten, isThere, agent, backup }: Ending): string {
  if (!isWritten) return 'Nothing was written. To write it, run the same command with --yes.\n'
  const lines = [
    `${client.title} is connected; its token is called ${agent}. ${client.afterwards}`,
    ...(isThere ? [] : ['No gateway answers there yet. Start it first: hintgate serve']),
    ...(backup === undefined ? [] : [`The file as it was: ${showFile(backup, currentPlace())}`]),
    ...(file.scope === 'project'
      ? ['The file belongs to the project and holds a token: do not publish it.']
      : []),
    `To undo it: hintgate disconnect ${client.id}`,
  ]
  return `${lines.join('\n')}\n`
}
