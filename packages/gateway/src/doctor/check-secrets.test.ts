import { describe, expect, it } from 'vitest'
import { checkSecrets } from './check-secrets.ts'

const KEY = 'sk-live-4f9aZ81kQ0pLm27Xc5Vb'
const find = (config: object, isReadByOthers = true) =>
  checkSecrets({ file: 'h.json', text: JSON.stringify(config, undefined, 2), isReadByOthers })
const server = (entry: object) => ({ mcpServers: { crm: entry } })
const placesOf = (config: object) => find(config).map(({ text }) => text.split(' ')[1])

describe('a secret in the config', () => {
  it('is found in variables, headers, arguments, URLs and tokens, and is not quoted', () => {
    const config = {
      store: `postgres://ada:${KEY}@db.example/hintgate`,
      agent_tokens: { bot: { token: KEY } },
      mcpServers: {
        crm: { url: `https://crm.example/mcp?api_key=${KEY}`, headers: { Authorization: `Bearer ${KEY}` } },
        box: { command: 'box', args: ['--api-key', KEY], env: { BOX_TOKEN: KEY } },
        api: { openapi: 'api.yaml', auth: { header: 'X-Api-Key', value: 'short' } },
        web: { url: 'https://web.example/mcp', oauth: { clientId: 'a', clientSecret: 'short' } },
      },
    }
    expect(placesOf(config)).toEqual([
      'store',
      'agent_tokens.bot.token',
      'mcpServers.crm.url',
      'mcpServers.crm.headers.Authorization',
      'mcpServers.box.args[1]',
      'mcpServers.box.env.BOX_TOKEN',
      'mcpServers.api.auth.value',
      'mcpServers.web.oauth.clientSecret',
    ])
    expect(JSON.stringify(find(config))).not.toContain(KEY)
  })

  it('is also found in a notify channel', () => {
    const notify = [
      {
        type: 'webhook',
        name: 'ops',
        url: `https://hooks.example/x?key=${KEY}`,
        secret: 'a plain secret text',
      },
      { type: 'slack', name: 'chat', token: 'xoxb', signingSecret: `\${env:SLACK}` },
      { type: 'email', name: 'mail', smtp: { host: 'smtp.example', password: 'open sesame' } },
    ]
    expect(placesOf({ notify })).toEqual([
      'notify[0].url',
      'notify[0].secret',
      'notify[1].token',
      'notify[2].smtp.password',
    ])
    expect(find({ notify })[1]?.fix).toContain('NOTIFY_SECRET')
  })

  it('is not reported for references and ordinary values', () => {
    expect(placesOf(server({ headers: { Authorization: `Bearer \${env:CRM}`, 'X-Team': 'sales' } }))).toEqual(
      [],
    )
    expect(
      placesOf(server({ env: { KEY: `\${file:~/k}`, LOG: 'debug' }, args: ['-y', '@a/server', '.'] })),
    ).toEqual([])
    expect(placesOf({ store: 'sqlite:data/hintgate.db', listen: '127.0.0.1:4428' })).toEqual([])
  })

  it('is reported with its line and a fix, as a warning if other users can read the file', () => {
    const config = server({ headers: { Authorization: `Bearer ${KEY}` } })
    expect(find(config)).toEqual([
      {
        code: 'secret_in_config',
        level: 'warning',
        server: 'crm',
        text: 'h.json:5:26: mcpServers.crm.headers.Authorization looks like a secret in plain text, and other users can read the file',
        fix: expect.stringContaining(`"\${env:CRM_AUTHORIZATION}"`),
      },
    ])
    expect(find(config, false)[0]?.level).toBe('info')
  })

  it('is not found in an empty file', () => {
    expect(checkSecrets({ file: 'h.json', text: '', isReadByOthers: true })).toEqual([])
  })
})
