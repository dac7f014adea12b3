import { describe, expect, it } from 'vitest'
import { findDocumentSecrets, maskDocument } from './plan-connect.ts'

const mask = (value: unknown) => maskDocument(JSON.stringify(value), findDocumentSecrets(value))

describe('the change of a document, as shown', () => {
  it('masks secrets everywhere', () => {
    const value = {
      oauthAccount: { accessToken: 'abc-def-ghi' },
      mcpServers: {
        a: {
          command: 'x',
          args: ['--token', 'hunter2-"quoted"', '--port', '80'],
          env: { API_KEY: 'k1k2k3k4' },
        },
        b: { url: 'https://u:secretpw@x.example/mcp', headers: { Authorization: 'Bearer zzz' } },
      },
    }
    const shown = mask(value)
    for (const secret of ['abc-def', 'hunter2', 'k1k2', 'secretpw']) expect(shown).not.toContain(secret)
    expect(JSON.parse(shown)).toMatchObject({
      mcpServers: { a: { command: 'x', args: ['--token', '[masked]', '--port', '80'] } },
    })
  })

  it('shows references', () => {
    const value = {
      headers: { Authorization: `Bearer \${env:CRM}` },
      env: { KEY: `\${file:~/.hintgate/secrets/x}` },
    }
    expect(mask(value)).toBe(JSON.stringify(value))
    expect(mask({ env: { KEY: `abcdefg\${env:X}hijklmn` } })).toBe(
      `{"env":{"KEY":"[masked]\${env:X}[masked]"}}`,
    )
  })
})
