/** The bundled files of the scripts (scripts.ts) and what a browser needs before it runs one of them. */

/** By file name; {@link importsFile} is one of them. */
export type ScriptFiles = Readonly<Record<string, Blob>>
/** By file: the files that it imports at once. Files loaded on demand are not in it. */
type Imports = Readonly<Record<string, readonly string[]>>

const importsFile = 'imports.json'

export const packImports = (imports: Imports): ScriptFiles => ({ [importsFile]: new Blob([JSON.stringify(imports)]) })

/** The scripts without the list of imports, and for a file what it needs, in turn; without the file itself. */
export async function unpackScripts(files: ScriptFiles) {
  const { [importsFile]: list, ...scripts } = files
  const imports: Imports = JSON.parse(await list!.text())
  const collect = (file: string, found: Set<string>): Set<string> => {
    for (const next of imports[file] ?? [])
      if (!found.has(next)) {
        found.add(next)
        collect(next, found)
      }
    return found
  }
  return { scripts, listNeeded: (file: string): readonly string[] => [...collect(file, new Set())] }
}
