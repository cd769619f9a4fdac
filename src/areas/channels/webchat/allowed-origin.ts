/** Whether an origin, as a browser names it, is one that the rules of a channel allow: `*`, origins, and those with `*.` before their host. */
export function allowsOrigin(rules: readonly string[], origin: string): boolean {
  const asked = origin.toLowerCase();
  return rules.some((rule) => {
    if (rule === '*' || rule === asked) return true;
    const [scheme, host] = rule.split('://*');
    // Not the host itself, and nothing that only ends like it: the rest begins with a dot.
    return host !== undefined && scheme !== undefined && asked.startsWith(`${scheme}://`) && below(asked, scheme, host);
  });
}

function below(origin: string, scheme: string, host: string): boolean {
  const name = origin.slice(scheme.length + 3);
  return name.endsWith(host) && /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name.slice(0, -host.length));
}
