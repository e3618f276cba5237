import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { variables } from '@perennial/schemas/platform/variables.ts';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../.scripts/commands.mjs';

/* What is in deploy/, held to what the code does. `deploy.full.test.ts` carries its steps out. */

const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: unknown;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly securityContext: unknown;
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
  readonly volumeMounts: readonly { readonly name: string }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly securityContext: unknown;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly selector?: { readonly matchLabels: object };
  };
}

const commands = new Set(COMMANDS.map(({ name }) => name));
const isKnown = (name: string): boolean => name.startsWith('OTEL_') || Object.hasOwn(variables, name);

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose;

  test('has gateway and core twice, each without a file system to write to, and no variable that there is not', () => {
    const ours = Object.entries(services).filter(([, { image }]) => image === 'perennial');
    expect(ours.map(([name]) => name).sort()).toEqual(['core-1', 'core-2', 'gateway-1', 'gateway-2', 'migrate']);
    for (const [, service] of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(commands).toContain(service.command?.[0]);
      expect(Object.keys(service.environment ?? {}).filter((name) => !isKnown(name))).toEqual([]);
    }
  });

  test('names what it mounts, waits for what there is, and pins every image', () => {
    for (const [, { image, volumes: mounts = [], depends_on: waits }] of Object.entries(services)) {
      if (image !== 'perennial') expect(image).toMatch(/^docker\.io\/[\w./-]+:[\w.-]+$/);
      expect(image).not.toContain('latest');
      for (const mount of mounts) {
        const [from = ''] = mount.split(':');
        if (from.startsWith('./')) expect([from, existsSync(join(DEPLOY, from))]).toEqual([from, true]);
        else expect(Object.keys(volumes)).toContain(from);
      }
      const names = Array.isArray(waits) ? (waits as string[]) : Object.keys((waits ?? {}) as object);
      for (const name of names) expect(Object.keys(services)).toContain(name);
    }
  });

  test('leaves the owner of the tables to the migration', () => {
    for (const [name, { environment = {} }] of Object.entries(services))
      expect('DATABASE_ADMIN_URL' in environment).toBe(name === 'migrate');
  });
});

describe('the manifests of Kubernetes', () => {
  const base = join(DEPLOY, 'kubernetes/base');
  const { resources, configMapGenerator } = parse(read('kubernetes/base/kustomization.yaml')) as {
    resources: string[];
    configMapGenerator: { literals: string[] }[];
  };
  const all = resources.flatMap((file) =>
    parseAllDocuments(readFileSync(join(base, file), 'utf8')).map((each) => {
      expect(each.errors).toEqual([]);
      return each.toJS() as Manifest;
    }),
  );

  test('are all named by the kustomization, and the example is made of them', () => {
    const files = globSync('*.yaml', { cwd: base }).filter((file) => file !== 'kustomization.yaml');
    expect([...resources].sort()).toEqual(files.sort());
    const names = all.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    const example = parse(read('kubernetes/overlays/example/kustomization.yaml')) as { replicas: { name: string }[] };
    for (const { name } of example.replicas) expect(names).toContain(`Deployment/${name}`);
  });

  test('run as nobody, write nowhere but to their volumes, and ask what there is', () => {
    const pods = all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    expect(pods).toHaveLength(3);
    for (const { spec } of pods) {
      const { spec: pod, metadata } = spec.template;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      if (spec.selector) expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
      for (const { args, env, securityContext, volumeMounts, readinessProbe } of pod.containers) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(commands).toContain(args[0]);
        expect(env.map(({ name }) => name).filter((name) => !isKnown(name))).toEqual([]);
        for (const { name } of volumeMounts) expect(pod.volumes.map((each) => each.name)).toContain(name);
        if (readinessProbe) expect(readinessProbe.httpGet.path).toBe('/ready');
      }
    }
  });

  test('set no variable that there is not', () => {
    const names = configMapGenerator.flatMap(({ literals }) => literals.map((each) => each.split('=')[0] as string));
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
  });
});

test('the units of systemd start commands that there are', () => {
  for (const file of globSync('systemd/*.service', { cwd: DEPLOY })) {
    const started = /^ExecStart=\S+ \S+perennial\.mjs ([\w:]+)$/m.exec(read(file))?.[1];
    expect(commands).toContain(started);
    expect(read(file)).toContain('NoNewPrivileges=yes');
  }
});

test('perennial.env.example sets variables that there are', () => {
  const names = [...read('perennial.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name as string);
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});

describe('alerts and dashboard', () => {
  const sources = ['gateway/metrics.ts', 'gateway/server.ts', 'core/platform/metrics.ts', 'gateway/webhooks/start.ts'];
  const metrics = new Set(
    sources
      .filter((file) => existsSync(join(ROOT, file)))
      .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/'(perennial_\w+)'/g)])
      .map(([, name]) => name as string),
  );
  const { groups } = parse(read('observe/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  };
  const { panels } = JSON.parse(read('observe/grafana/dashboards/perennial.json')) as {
    panels: { id: number; targets: { expr: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  test('ask for figures that there are', () => {
    expect(metrics.size).toBeGreaterThan(8);
    for (const expression of expressions) {
      for (const [name] of expression.matchAll(/\bperennial_\w+/g))
        expect(metrics).toContain(name.replace(/_(bucket|count|sum)$/, ''));
      const open = expression.replace(/"[^"]*"/g, '').split('');
      expect(open.filter((each) => each === '(').length).toBe(open.filter((each) => each === ')').length);
    }
  });

  test('are each told apart, and say what is wrong', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { annotations } of rules) expect(annotations.summary).toMatch(/\.$/);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

test('the image and the script install the same files', () => {
  const image = read('Containerfile');
  const script = read('install.sh');
  for (const folder of ['.scripts', 'schemas', 'translators', 'prisma', 'core', 'gateway']) {
    expect(image).toContain(`/app/${folder} ./${folder}`);
    expect(script).toContain(` ${folder}`);
  }
  expect(image).toMatch(/^USER 10001:10001$/m);
  for (const text of [image, script]) expect(text).toContain('npm ci --omit=dev');
});
