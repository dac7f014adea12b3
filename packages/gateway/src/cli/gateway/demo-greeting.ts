import { hasCode } from '../../base/errors.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { createTokens } from '../../tokens/tokens.ts'
import { type PlaceFlags, withStore } from '../terminal/context.ts'
import { parseScope } from '../terminal/token-flags.ts'

interface Demo {
  readonly url: string
  readonly token: string
  /** What this person types to run the command, and the flags with which it finds the demo. */
  readonly command: string
  readonly place: string
  /** Something to look at besides the surfaces. */
  readonly also?: string
  /** Where questions are answered. */
  readonly answer: string
  /** What to do next. */
  readonly next: string
}

/** What somebody is told who sees a gateway for the first time: `hintgate demo` and `npm start` say it alike. */
export function writeGreeting({ url, token, command, place, also, answer, next }: Demo): string {
  const entry = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } }
  const snippet = JSON.stringify({ mcpServers: { hintgate: entry } }, null, 2).replaceAll(/^/gm, '    ')
  return `
  Hintgate is listening on ${url}

    find and call ${url}/mcp
    all tools     ${url}/mcp/direct
    one server    ${url}/mcp/servers/notes
${also === undefined ? '' : `    ${also}\n`}
  Paste this into your MCP client. The token is new with every start and may read, write and delete in the demo:

${snippet}

  Before anything is deleted, a person is asked, and not through the client. ${answer}:

    ${command} approvals watch ${place}
    ${command} approvals approve ID ${place}

  Ctrl-C stops it. ${next}
`
}

/** A fresh token for the demo; the one of the last start stops working. */
export function mintDemoToken(place: PlaceFlags): Promise<string> {
  return withStore(place, async ({ store, home, config }) => {
    const tokens = createTokens({ store, key: loadSecretKey(home), agentTokens: config.agentTokens })
    try {
      return (await tokens.rotate('demo')).token
    } catch (error) {
      if (!hasCode(error, 'token_unknown')) throw error
      return (await tokens.mint('demo', parseScope({ permissions: 'retrieve_tools,read,write,destructive' })))
        .token
    }
  })
}
