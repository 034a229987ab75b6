/** The guides in the search of the reference. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type FoundSection, type GuideIndex, loadGuideIndex, searchGuides } from '../guide-search.ts'

/** Loads the index of the guides when somebody searches. Until it is there, the search finds operations only. */
export function useGuideSearch(query: string): readonly FoundSection[] {
  const [index, setIndex] = useState<GuideIndex>()
  const isAsked = query.trim() !== ''
  useEffect(() => {
    if (isAsked && !index) loadGuideIndex('').then(setIndex, () => undefined)
  }, [isAsked, index])
  return useMemo(() => (index ? searchGuides(index, query) : []), [index, query])
}

export const GuideResults = ({ found }: { readonly found: readonly FoundSection[] }) => (
  <div class="group">
    <h2>Guides</h2>
    <ul>
      {found.map(({ address, guide, section, excerpt }) => (
        <li key={address}>
          <a href={address}>
            <span class="item-text">
              <span class="item-summary">{section}</span>
              {section !== guide && <span class="item-guide">{guide}</span>}
              {excerpt !== '' && <span class="item-excerpt">{excerpt}</span>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  </div>
)
