import { describe, expect, it } from 'vitest'
import { holdsMask, maskEntry, unmaskEntry } from './mask-entry.ts'

const ENTRY = {
  command: 'node',
  args: ['server.mjs', '--key', `ghp_${'a1B2c3D4e5F6'.repeat(3)}`],
  env: { TOKEN: 'hunter2', FROM: '\u0024{env:CRM}' },
}
const REMOTE = {
  url: 'https://ada:secret@crm.example/mcp?key=abc',
  headers: { Authorization: 'Bearer \u0024{env:CRM}', 'X-Key': 'abc' },
}

describe('a server of the config', () => {
  it('is shown without its secrets; where they are kept is no secret', () => {
    expect(maskEntry(ENTRY)).toMatchObject({
      command: 'node',
      args: ['server.mjs', '--key', expect.not.stringContaining('ghp_')],
      env: { TOKEN: '••••••', FROM: '\u0024{env:CRM}' },
    })
    expect(maskEntry(REMOTE)).toEqual({
      url: 'https://••••••@crm.example/mcp?••••••',
      headers: { Authorization: 'Bearer \u0024{env:CRM}', 'X-Key': '••••••' },
    })
  })

  it('has no secret that only its name tells', () => {
    const oauth = {
      clientId: 'me',
      clientSecret: 'CLIENTSECRET-99aXbQ7',
      tokenEndpoint: 'https://idp.example/token',
    }
    expect(maskEntry({ oauth })).toEqual({ oauth: { ...oauth, clientSecret: '••••••' } })
    const kept = { clientSecret: '\u0024{env:SECRET}' }
    expect(maskEntry({ oauth: kept })).toEqual({ oauth: kept })
  })

  it('comes back as it was from somebody who changed something else', () => {
    for (const entry of [ENTRY, REMOTE]) {
      const seen = maskEntry(entry) as object
      expect(unmaskEntry({ ...seen, timeout: '5s' }, entry)).toEqual({ ...entry, timeout: '5s' })
    }
  })

  it('does not get a mask for a value', () => {
    expect(holdsMask(unmaskEntry({ ...(maskEntry(ENTRY) as object), command: 'another' }, ENTRY))).toBe(true)
    expect(holdsMask(unmaskEntry({ env: { NEW: '••••••' } }, ENTRY))).toBe(true)
    expect(holdsMask(unmaskEntry(maskEntry(ENTRY), ENTRY))).toBe(false)
    // Nobody moves a secret to where it can be seen.
    expect(unmaskEntry({ command: '••••••' }, ENTRY)).toEqual({ command: '••••••' })
  })
})
