/** The names that lead from a resource's root to one of its members; never through a reference, list or union. */
export type Path = readonly string[];

/** `contact_info.email` → `['contact_info', 'email']`. A name that contains a dot is not allowed in resources. */
export function parsePath(text: string): Path {
  const path = text.split('.');
  if (path.some((name) => name === '')) throw new Error(`"${text}" is not a path of member names joined by dots`);
  return path;
}

/** The reverse of `parsePath`. */
export function formatPath(path: Path): string {
  return path.join('.');
}
