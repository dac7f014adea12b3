import { bearer, type Client, describeUsual } from '../client.ts'
import { joinPath, underHome } from '../place.ts'

/** Says `httpUrl`; its `url` means the older transport. */
export const gemini: Client = {
  id: 'gemini',
  title: 'Gemini CLI',
  format: 'json',
  shape: 'object',
  references: 'dollar',
  files: place => [
    { scope: 'user', path: underHome(place, '.gemini', 'settings.json'), block: ['mcpServers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.gemini', 'settings.json'), block: ['mcpServers'] },
  ],
  speaksHttp: true,
  describeGateway: way =>
    way.kind === 'http'
      ? { httpUrl: way.url, headers: { Authorization: bearer(way.token) } }
      : describeUsual(way),
  afterwards: 'Start Gemini CLI again; `gemini mcp list` shows the gateway.',
}
