# What R's packages work out from the same people. Reads the folder given, prints `name value` line by line.
suppressMessages({ library(survival); library(epitools); library(epiR) })
folder <- commandArgs(TRUE)[1]
table_of <- function(name) read.csv(file.path(folder, name), stringsAsFactors = FALSE)
say <- function(name, value) cat(name, sprintf("%.17g", as.numeric(value)), "\n")

shares <- table_of("shares.csv")
for (i in seq_len(nrow(shares))) {
  found <- binom.wilson(shares$cases[i], shares$people[i])
  say(paste0("share.", i, ".low"), found$lower)
  say(paste0("share.", i, ".high"), found$upper)
}

rates <- table_of("rates.csv")
for (i in seq_len(nrow(rates))) {
  # Not pois.exact of epitools: it looks for the ends by halving, and stops after eight digits.
  found <- poisson.test(rates$events[i], rates$years[i])
  say(paste0("rate.", i, ".estimate"), found$estimate)
  say(paste0("rate.", i, ".low"), found$conf.int[1])
  say(paste0("rate.", i, ".high"), found$conf.int[2])
}

strata <- table_of("strata.csv")
direct <- ageadjust.direct(strata$cases, strata$people, stdpop = strata$weight)
for (member in c("crude.rate", "adj.rate", "lci", "uci")) say(paste0("direct.", member), direct[[member]])
expected <- sum(strata$people * strata$reference_cases / strata$reference_people)
ratio <- poisson.test(sum(strata$cases), expected)
say("indirect.expected", expected)
say("indirect.estimate", ratio$estimate)
say("indirect.low", ratio$conf.int[1])
say("indirect.high", ratio$conf.int[2])

two <- table_of("contrast.csv")
cells <- array(
  rbind(two$cases, two$other_cases, two$people - two$cases, two$other_people - two$other_cases),
  dim = c(2, 2, nrow(two)))
sums <- apply(cells, c(1, 2), sum)
crude <- riskratio.wald(sums[2:1, 2:1])$measure[2, ]
say("contrast.ratio", crude[["estimate"]])
say("contrast.ratio.low", crude[["lower"]])
say("contrast.ratio.high", crude[["upper"]])
both <- cells[, , apply(cells, 3, function(each) all(rowSums(each) > 0))]
haenszel <- suppressWarnings(epi.2by2(both, method = "cohort.count", outcome = "as.columns"))$massoc.detail$RR.mh.wald
say("contrast.haenszel", haenszel[["est"]])
say("contrast.haenszel.low", haenszel[["lower"]])
say("contrast.haenszel.high", haenszel[["upper"]])

time <- table_of("survival.csv")
time$status <- factor(time$outcome, c("censored", "event", "competing"))
meier <- summary(survfit(Surv(months, outcome == "event") ~ 1, time[time$group == 1, ], conf.type = "log-log"),
  times = 0:36, extend = TRUE)
aalen <- summary(survfit(Surv(months, status) ~ 1, time[time$group == 1, ], conf.type = "log-log"),
  times = 0:36, extend = TRUE)
at <- which(aalen$states == "event")
for (i in seq_along(meier$time)) {
  say(paste0("survival.", meier$time[i]), meier$surv[i])
  say(paste0("survival.", meier$time[i], ".low"), meier$lower[i])
  say(paste0("survival.", meier$time[i], ".high"), meier$upper[i])
  say(paste0("incidence.", meier$time[i]), aalen$pstate[i, at])
  say(paste0("incidence.", meier$time[i], ".low"), aalen$lower[i, at])
  say(paste0("incidence.", meier$time[i], ".high"), aalen$upper[i, at])
}
test <- survdiff(Surv(months, outcome == "event") ~ group, time)
say("logrank.chi", test$chisq)
say("logrank.p", pchisq(test$chisq, 1, lower.tail = FALSE))
