import { waitingFor } from './confirming.ts'
import { type Gateway, type GatewayConfig, startReadyGateway } from './gateway.ts'
import { type Json, ModernClient } from './raw-mcp.ts'
import { type Received, Receiver } from './receiver.ts'
import { DESTROYS, ScriptedServer, scripted } from './scripted-server.ts'
import { openWitness } from './witness.ts'

/** Shared by the tests of `notify`. */

/** Attempts come quickly, so that a test need not wait. */
export const QUICK = { attempts: 50, delay: '20ms', maxDelay: '100ms' }

export async function openThings(): Promise<ScriptedServer> {
  return new ScriptedServer('things', await openWitness(), [
    scripted('delete_thing', {
      annotations: DESTROYS,
      title: 'Delete thing',
      // A declared argument is part of the sentence that people read.
      inputSchema: { type: 'object', properties: { id: {} } },
    }),
    scripted('pay_invoice', { annotations: DESTROYS }),
  ])
}

export const startReceiver = (name: string): Promise<Receiver> => new Receiver(name).start()

/** A gateway whose destructive calls need a person, and that tells these channels. */
export function startTelling(
  server: ScriptedServer,
  notify: readonly Json[],
  more: GatewayConfig = {},
): Promise<Gateway> {
  return startReadyGateway({
    confirm: { channel: 'person' },
    mcpServers: { things: server.config },
    notify,
    ...more,
  })
}

export interface Asked {
  readonly id: string
  readonly client: ModernClient
}

/** Makes a call that waits, and returns the id of its approval. */
export async function ask(gateway: Gateway, args: Json, tool = 'delete_thing'): Promise<Asked> {
  const client = new ModernClient(gateway.endpoint('things'), await gateway.site.token())
  return { id: waitingFor(await client.call(tool, args)).id, client }
}

export const jsonOf = ({ text }: Received): Json => JSON.parse(text) as Json

/** The link in a message that answers as its reader. */
export function answerLinkIn(text: string): string {
  const [link] = /http:\/\/127\.0\.0\.1:\d+\/notify\/answer\/[\w-]+/.exec(text) ?? []
  if (link === undefined) throw new Error(`no link that answers: ${text}`)
  return link
}

export function press(
  link: string,
  decision: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: `decision=${decision}`,
  })
}

/** What `hintgate approvals` knows of one. */
export async function stateOf(gateway: Gateway, id: string, token: string): Promise<Json> {
  const answer = await fetch(`${gateway.url}/api/v1/approvals/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await answer.json()) as Json
}
