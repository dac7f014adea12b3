import { describe, expect, it } from 'vitest'
import { CLIENTS, findClient } from './clients.ts'
import type { Place } from './place.ts'

const LINUX: Place = { platform: 'linux', env: {}, homeDir: '/home/ada', cwd: '/srv/app' }
const MAC: Place = { platform: 'darwin', env: {}, homeDir: '/Users/ada', cwd: '/srv/app' }
const WINDOWS: Place = {
  platform: 'win32',
  env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
  homeDir: 'C:\\Users\\ada',
  cwd: 'D:\\app',
}

const filesOn = (place: Place) =>
  Object.fromEntries(
    CLIENTS.map(client => [
      client.id,
      Object.fromEntries(client.files(place).map(({ scope, path }) => [scope, path])),
    ]),
  )

describe('the files of clients', () => {
  it("are in Linux's usual places", () => {
    expect(filesOn(LINUX)).toEqual({
      'claude-code': {
        user: '/home/ada/.claude.json',
        project: '/srv/app/.mcp.json',
        local: '/home/ada/.claude.json',
      },
      'claude-desktop': { user: '/home/ada/.config/Claude/claude_desktop_config.json' },
      codex: { user: '/home/ada/.codex/config.toml', project: '/srv/app/.codex/config.toml' },
      cursor: { user: '/home/ada/.cursor/mcp.json', project: '/srv/app/.cursor/mcp.json' },
      gemini: { user: '/home/ada/.gemini/settings.json', project: '/srv/app/.gemini/settings.json' },
      mcpproxy: { user: '/home/ada/.mcpproxy/mcp_config.json' },
      vscode: { user: '/home/ada/.config/Code/User/mcp.json', project: '/srv/app/.vscode/mcp.json' },
      windsurf: { user: '/home/ada/.codeium/windsurf/mcp_config.json' },
    })
  })

  it("are in macOS's usual places", () => {
    expect(filesOn(MAC)).toMatchObject({
      'claude-code': { user: '/Users/ada/.claude.json' },
      'claude-desktop': { user: '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json' },
      vscode: { user: '/Users/ada/Library/Application Support/Code/User/mcp.json' },
      windsurf: { user: '/Users/ada/.codeium/windsurf/mcp_config.json' },
    })
  })

  it("are in Windows's usual places", () => {
    expect(filesOn(WINDOWS)).toEqual({
      'claude-code': {
        user: 'C:\\Users\\ada\\.claude.json',
        project: 'D:\\app\\.mcp.json',
        local: 'C:\\Users\\ada\\.claude.json',
      },
      'claude-desktop': { user: 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json' },
      codex: { user: 'C:\\Users\\ada\\.codex\\config.toml', project: 'D:\\app\\.codex\\config.toml' },
      cursor: { user: 'C:\\Users\\ada\\.cursor\\mcp.json', project: 'D:\\app\\.cursor\\mcp.json' },
      gemini: { user: 'C:\\Users\\ada\\.gemini\\settings.json', project: 'D:\\app\\.gemini\\settings.json' },
      mcpproxy: { user: 'C:\\Users\\ada\\.mcpproxy\\mcp_config.json' },
      vscode: {
        user: 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
        project: 'D:\\app\\.vscode\\mcp.json',
      },
      windsurf: { user: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json' },
    })
    const { APPDATA: _, ...env } = WINDOWS.env
    expect(findClient('vscode').files({ ...WINDOWS, env })[0]?.path).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    )
  })

  it('follow the environment variables', () => {
    const env = { XDG_CONFIG_HOME: '/etc/ada', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x' }
    expect(filesOn({ ...LINUX, env })).toMatchObject({
      'claude-code': { user: '/c/.claude.json' },
      'claude-desktop': { user: '/etc/ada/Claude/claude_desktop_config.json' },
      codex: { user: '/x/config.toml' },
      vscode: { user: '/etc/ada/Code/User/mcp.json' },
    })
  })

  it('are refused without a home folder', () => {
    expect(() => filesOn({ ...LINUX, homeDir: '' })).toThrow('The home folder is unknown')
  })
})

describe('a client', () => {
  it('is found by its id or title, with any spelling', () => {
    for (const name of ['vscode', 'VS Code', 'vs-code']) expect(findClient(name).id).toBe('vscode')
    expect(() => findClient('windsurfer')).toThrow('did you mean windsurf?')
    expect(() => findClient('emacs')).toThrow('Unknown client "emacs"')
  })
})
