import type { Piece, ReadServer } from '../../client-configs/read-server.ts'
import { type Secret, type TranslateContext, translateServer } from '../../client-configs/translate-server.ts'
import type { Json } from '../../protocol/messages.ts'
import type { FilledPiece } from './fill-inputs.ts'
import type { Plan } from './plan-install.ts'

/** An entry of `mcpServers`, and the files that hold its secrets. */
export interface PlannedServer {
  readonly server: Json
  readonly secrets: readonly Secret[]
}

/** Translates a plan into an entry of the config. Values that the registry calls secret go into files. */
export function toServer(plan: Plan, context: TranslateContext): PlannedServer {
  const secrets: Secret[] = []
  const keep = (piece: FilledPiece): Piece => {
    if (piece.kind !== 'secret') return piece
    const name = `${context.name}.${piece.label.replaceAll(/[^\w-]+/g, '-').slice(0, 64)}`
    const { file, reference } = context.secretFile(name)
    secrets.push({ file, reference, value: piece.text })
    return { kind: 'ours', text: reference }
  }
  const translated = translateServer(readPlan(plan, keep), context)
  return { server: translated.server, secrets: [...secrets, ...translated.secrets] }
}

type Keep = (piece: FilledPiece) => Piece

function readPlan(plan: Plan, keep: Keep): ReadServer {
  const rest = { isDisabled: false, left: [] }
  if ('url' in plan)
    return { url: plan.url.map(keep), headers: keepAll(plan.headers, keep), isSse: plan.isSse, ...rest }
  return {
    command: [{ kind: 'text', text: plan.command }],
    args: plan.args.map(arg => arg.map(keep)),
    env: keepAll(plan.env, keep),
    isSse: false,
    ...rest,
  }
}

function keepAll(values: Readonly<Record<string, readonly FilledPiece[]>>, keep: Keep) {
  return Object.fromEntries(Object.entries(values).map(([name, pieces]) => [name, pieces.map(keep)]))
}
