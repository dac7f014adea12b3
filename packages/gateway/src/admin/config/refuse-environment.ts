import { loadsCode } from '../../config/schema/unsafe-variables.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { AdminProblem } from '../http/problem.ts'

/** Whoever starts programs from a browser starts those that the config names, and nothing inside them. */
export function refuseEnvironment({ env }: Json): void {
  const names = isJsonObject(env) ? Object.keys(env).filter(loadsCode) : []
  const [name] = names
  if (name === undefined) return
  throw new AdminProblem(
    'refused',
    `${name} cannot be set from here; write it into the config file by hand.`,
    [{ path: `body.config.env.${name}`, message: 'it makes a program load other code' }],
  )
}
