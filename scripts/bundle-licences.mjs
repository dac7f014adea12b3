// The licences of those whose code is in the bundle: they ask for that.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of every package that one of these modules is from. */
export function gatherLicences(modules) {
  const packages = modules.map(id => /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
  const texts = [...new Set(packages)]
    .filter(folder => folder !== undefined)
    .toSorted()
    .map(readLicence)
  return `${texts.join('\n\n')}\n`
}

function readLicence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version} (${license})\n\n${text}`
}
