/** What is used of jstat, which comes without types. */
declare module 'jstat' {
  const jstat: {
    readonly jStat: {
      readonly normal: { inv(probability: number, mean: number, deviation: number): number };
      readonly chisquare: { cdf(value: number, degrees: number): number };
      /** Quantile of a gamma distribution of scale 1. */
      gammapinv(probability: number, shape: number): number;
    };
  };
  // biome-ignore lint/style/noDefaultExport: how the package exports itself.
  export default jstat;
}
