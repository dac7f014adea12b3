import { expect } from 'vitest'
import { type AdminClient, createAdminClient } from '../../packages/gateway/src/admin/client.ts'
import {
  type OperationName,
  type Role,
  SCHEMAS,
  type Schemas,
} from '../../packages/gateway/src/admin/contract/contract.ts'
import type { Gateway, Site } from './gateway.ts'
import { hintgate } from './hintgate.ts'

/** Creates a token for a person with a role. */
export async function personToken(site: Site, role: Role, name: string = role): Promise<string> {
  const made = await hintgate(['tokens', 'create', name, '--role', role, '--json', ...site.flags])
  if (made.code !== 0) throw new Error(`no token: ${made.stderr}`)
  return (JSON.parse(made.stdout) as { token: string }).token
}

/** A client of a gateway's admin API. Every answer is compared completely with the contract. */
export function adminOf(gateway: Gateway, token: string): AdminClient {
  const client = createAdminClient({ base: gateway.url, token })
  const names = Object.keys(client) as OperationName[]
  const checked = names.map(name => {
    const ask = client[name] as (...args: readonly unknown[]) => Promise<unknown>
    return [name, async (...args: readonly unknown[]) => check(name, await ask(...args))]
  })
  return Object.fromEntries(checked) as AdminClient
}

/** The schemas drop members that the contract does not know, so a difference shows them. */
function check(name: OperationName, answer: unknown): unknown {
  const { response }: Schemas = SCHEMAS[name]
  if (response !== undefined) expect(response.parse(answer), `what ${name} answers`).toEqual(answer)
  return answer
}

export async function adminWith(gateway: Gateway, role: Role): Promise<AdminClient> {
  return adminOf(gateway, await personToken(gateway.site, role))
}

/** Signs in like a browser; returns the cookie. */
export async function signIn(gateway: Gateway, ...flags: readonly string[]): Promise<string> {
  const link = await hintgate(['console', '--json', '--url', gateway.url, ...flags, ...gateway.site.flags])
  const code = /#code=(.+)"/.exec(link.stdout)?.[1]
  const response = await fetch(`${gateway.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const cookie = response.headers.get('set-cookie')
  if (cookie === null) throw new Error(`not signed in: ${response.status} ${link.stderr}`)
  return cookie.split(';')[0] ?? ''
}

/** The code of a refusal. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  )
}
