/** The start of the reference: how the API works, and its contents. */
import type { Description } from './description.ts'
import { Method, Path, Prose } from './prose.tsx'

interface StartProps {
  readonly description: Description
  /** The requested operation, if it does not exist. */
  readonly unknown: string | undefined
}

export function StartView({ description, unknown }: StartProps) {
  const { title, version, text, tags, operations } = description
  return (
    <article class="start">
      <h1 id="operation-title" tabIndex={-1}>
        {title} API reference
      </h1>
      {unknown !== undefined && (
        <p class="notice warning" role="alert">
          This server has no operation <code>{unknown}</code>. These are the ones it has.
        </p>
      )}
      <p class="quiet">
        Version {version}, {operations.length} operations, each to read and to try against this server. Press{' '}
        <kbd>/</kbd> to search.
      </p>
      <Prose text={text} />
      <div class="overview">
        {tags.map(({ name, description: about }) => (
          <section key={name} aria-labelledby={`about-${name}`}>
            <h2 id={`about-${name}`}>{name}</h2>
            <p class="quiet">{about}</p>
            <ul>
              {operations
                .filter(({ tag, isOlder }) => tag === name && !isOlder)
                .map(({ id, method, path, summary }) => (
                  <li key={id}>
                    <a href={`#${id}`}>
                      <Method method={method} /> <span>{summary}</span>
                    </a>
                    <span class="item-path">
                      <Path path={path} />
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </article>
  )
}
