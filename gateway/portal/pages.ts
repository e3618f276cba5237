import type { History } from '@perennial/schemas/history.ts';
import { createDifferences } from './differences.ts';
import { type ChangelogParts, changelogPages } from './pages/changelog.ts';
import { type CompareParts, comparePages } from './pages/compare.ts';
import { type HomeParts, homePages } from './pages/home.ts';
import { type MigrateParts, migratePages } from './pages/migrate.ts';
import { type ReferenceParts, referencePages } from './pages/reference.ts';
import { type TranslationParts, translationPages } from './pages/translation.ts';
import type { PageRoute } from './portal.ts';
import { signInPage, signOut } from './sign-in.ts';

/** What the pages of the portal are made of. */
export interface PagesParts
  extends HomeParts,
    ChangelogParts,
    CompareParts,
    TranslationParts,
    MigrateParts,
    ReferenceParts {
  readonly history: History;
}

/** Every page, in the order of the bar. */
export function portalPages(parts: PagesParts): readonly PageRoute[] {
  const differences = createDifferences(parts.translator, parts.history);
  return [
    ...homePages(parts),
    ...referencePages(parts),
    ...changelogPages(parts),
    ...comparePages(parts, differences),
    ...migratePages(parts, differences),
    ...translationPages(parts),
    {
      method: 'GET',
      path: '/portal/sign-in',
      for: 'anybody',
      handle: ({ query }) => signInPage(query.get('to') ?? ''),
    },
    { method: 'POST', path: '/portal/sign-out', for: 'account', handle: signOut },
  ];
}
