import type { ServerOptions } from '../agent-options.ts'
import { isGateway } from '../catalog/make-tool.ts'
import type { Settings } from '../read-options.ts'
import { RawClient } from './raw-client.ts'
import { TASKS } from './task.ts'

const VERSION = '0.1.0'
const MODERN = '2026-07-28'

interface Server {
  readonly name: string
  readonly options: ServerOptions
}

/** Creates a client. It declares only the capabilities for which there is a callback. */
export function makeClient(
  { name: server, options }: Server,
  { name = 'hintgate-agent', elicit, confirm, onTask }: Settings,
  onToolsChanged: () => void,
): RawClient {
  const era = isGateway(options) ? 'auto' : (options.era ?? 'auto')
  const canAsk = elicit !== undefined || (isGateway(options) && confirm !== undefined)
  const client = new RawClient(
    { name, version: VERSION },
    {
      capabilities: {
        ...(canAsk ? { elicitation: {} } : {}),
        ...(onTask === undefined ? {} : { extensions: { [TASKS]: {} } }),
      },
      versionNegotiation: { mode: era === 'modern' ? { pin: MODERN } : era },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
    },
  )
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      return { action: 'cancel', ...(await elicit({ server, params })) }
    })
  return client
}
