import type { DocBlock } from './doc-blocks.ts'

/** A `hintgate …` command on a page. */
export interface DocCommand {
  readonly page: string
  /** The line as written. */
  readonly line: string
  /** The arguments after `hintgate`. */
  readonly words: readonly string[]
}

const CALLED = /^(?:npx (?:-y )?)?(?:hintgate|@hintgate\/gateway)$/

/** The hintgate commands in a shell block, also inside `$(…)`, before a pipe or after `&&`. */
export function findCommands({ page, text }: DocBlock): readonly DocCommand[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.flatMap(line =>
    splitLine(line)
      .map(words => dropPrefix(words))
      .filter(words => words !== undefined)
      .map(words => ({ page, line: line.trim(), words })),
  )
}

/** The words of each simple command. Quotes are removed, and a comment ends the line. */
function splitLine(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  const tokens = line.matchAll(/'([^']*)'|"([^"]*)"|(#.*$)|(\|\||&&|[|;()]|\$\(|[<>]+\S*)|([^\s'"|;()<>]+)/g)
  for (const { 1: single, 2: double, 3: comment, 4: sign, 5: word } of tokens) {
    if (comment !== undefined) break
    if (sign !== undefined) commands.push([])
    else commands.at(-1)?.push(single ?? double ?? word ?? '')
  }
  return commands
}

function dropPrefix(words: readonly string[]): readonly string[] | undefined {
  const rest = words[0] === '$' ? words.slice(1) : words
  const at = rest.findIndex((_, index) => CALLED.test(rest.slice(0, index + 1).join(' ')))
  return at < 0 ? undefined : rest.slice(at + 1)
}
