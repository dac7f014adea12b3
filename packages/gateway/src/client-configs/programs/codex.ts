import { bearer, type Client, describeUsual } from '../client.ts'
import { joinPath, type Place, underHome } from '../place.ts'

/** TOML, and words of its own: `http_headers`, `env_vars`, `bearer_token_env_var`. */
export const codex: Client = {
  id: 'codex',
  title: 'Codex',
  format: 'toml',
  shape: 'object',
  references: 'none',
  files: place => [
    { scope: 'user', path: joinPath(place, folderOf(place), 'config.toml'), block: ['mcp_servers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.codex', 'config.toml'), block: ['mcp_servers'] },
  ],
  speaksHttp: true,
  describeGateway: way =>
    way.kind === 'http'
      ? { url: way.url, http_headers: { Authorization: bearer(way.token) } }
      : describeUsual(way),
  afterwards: 'Start Codex again.',
}

function folderOf(place: Place): string {
  return place.env.CODEX_HOME || underHome(place, '.codex')
}
