import { type Change, showChange } from '../../client-configs/plan-connect.ts'
import { revealLine } from '../show/review-text.ts'
import { confirm, createPaint, isAttended, type Paint } from '../terminal/output.ts'

const STYLES = { added: 'green', removed: 'red' } as const
const SIGNS = { added: '+', removed: '-', same: ' ' } as const
const MAX_LINE = 400

/** A masked diff for a person: what comes, what goes, and two lines around. */
export function renderChange(file: string, change: Change, paint = paintOutput()): string {
  const lines = showChange(change).map(({ kind, text }) => {
    if (kind === 'gap') return '    …'
    const line = `  ${SIGNS[kind]} ${revealLine(text.replaceAll('\t', '  '), MAX_LINE)}`.trimEnd()
    return kind === 'same' ? line : paint(STYLES[kind], line)
  })
  return [paint('bold', file), ...lines].join('\n')
}

/** The same for scripts: one text, without colours. */
export function plainChange(file: string, change: Change): string {
  return renderChange(file, change, (_, text) => text)
}

function paintOutput(): Paint {
  return createPaint(process.stdout, process.env)
}

export interface AgreeFlags {
  readonly yes?: boolean
  readonly json?: boolean
}

/** Whether to go on: told so beforehand, or asked on a terminal. Scripts are never asked. */
export async function agree({ yes, json }: AgreeFlags, question: string): Promise<boolean> {
  if (yes === true) return true
  return json !== true && isAttended() && confirm(question)
}
