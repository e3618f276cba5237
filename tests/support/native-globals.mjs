/** What `import … from '@jest/globals'` gets: the words of the test file that runs now, for modules that outlive it. */
let current;

/** Called before each test file with what jest made for it. */
export function useGlobals(globals) {
  current = globals;
}

function word(name) {
  return new Proxy(() => {}, {
    apply: (_target, _self, args) => current[name](...args),
    get: (_target, key) => current[name][key],
  });
}

export const afterAll = word('afterAll');
export const afterEach = word('afterEach');
export const beforeAll = word('beforeAll');
export const beforeEach = word('beforeEach');
export const describe = word('describe');
export const expect = word('expect');
export const it = word('it');
export const jest = word('jest');
export const test = word('test');
