import type { OpenApiOperation } from '@perennial/translators/contract/document.ts';

/** A sample as viewers of OpenAPI read it (`x-codeSamples`). */
export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python';
  readonly label: string;
  readonly source: string;
}

/** The same call in three languages, with the operation's own example as its body. @param path with its version. */
export function codeSamples(method: string, path: string, operation: OpenApiOperation): readonly CodeSample[] {
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isJson = mediaType?.endsWith('json') === true;
  const body = isJson && content?.example !== undefined ? JSON.stringify(content.example, null, 2) : undefined;
  const target = path.replace(/\{([^}]+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const inTemplate = path.replace(/\{([^}]+)\}/g, (_, name: string) => `\${${camel(name)}}`);
  return [
    {
      lang: 'Shell',
      label: 'curl',
      source: [
        `curl${method === 'GET' ? '' : ` -X ${method}`} "$GATEWAY${target}"`,
        `-H "Authorization: Bearer $KEY"`,
        ...(body === undefined ? [] : [`-H 'Content-Type: ${mediaType}'`, `-d '${body.replaceAll("'", `'\\''`)}'`]),
        ...(mediaType !== undefined && !isJson ? ["-F 'file=@./file'"] : []),
      ].join(' \\\n  '),
    },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: [
        `const response = await fetch(\`\${gateway}${inTemplate}\`, {`,
        ...(method === 'GET' ? [] : [`  method: '${method}',`]),
        `  headers: { Authorization: \`Bearer \${key}\`${body === undefined ? '' : `, 'Content-Type': '${mediaType}'`} },`,
        ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
        ...(mediaType !== undefined && !isJson ? ['  body: form,'] : []),
        '});',
        'const { data, error } = await response.json();',
      ].join('\n'),
    },
    {
      lang: 'Python',
      label: 'Python',
      source: [
        `response = requests.${method.toLowerCase()}(`,
        `    f"{gateway}${path.replace(/\{([^}]+)\}/g, '{$1}')}",`,
        `    headers={"Authorization": f"Bearer {key}"${body === undefined ? '' : `, "Content-Type": "${mediaType}"`}},`,
        ...(body === undefined ? [] : [`    data=json.dumps(${indented(python(body))}),`]),
        ...(mediaType !== undefined && !isJson ? ['    files={"file": open("file", "rb")},'] : []),
        ')',
      ].join('\n'),
    },
  ];
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** JSON as Python writes it. Words inside of texts stand between quotes and are not alone. */
function python(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (found) => WORDS[found] ?? found);
}

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
