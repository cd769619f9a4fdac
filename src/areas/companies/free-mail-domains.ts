/**
 * Domains at which anyone gets an address. A company must not claim one: every private customer would become its
 * contact. Lower-case.
 */
export const freeMailDomains: ReadonlySet<string> = new Set(
  `126.com 163.com aim.com aol.com aol.de arcor.de att.net bellsouth.net bigpond.com bk.ru bluewin.ch bol.com.br btinternet.com
   centrum.cz charter.net comcast.net cox.net daum.net earthlink.net email.cz fastmail.com fastmail.fm foxmail.com free.fr freenet.de
   gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.fr gmx.net googlemail.com hanmail.net hey.com hotmail.be hotmail.co.uk hotmail.com
   hotmail.de hotmail.es hotmail.fr hotmail.it hushmail.com icloud.com inbox.lv inbox.ru interia.pl juno.com laposte.net libero.it
   list.ru live.co.uk live.com live.de live.fr live.nl mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com naver.com
   neuf.fr o2.pl online.de onet.pl optonline.net orange.fr outlook.at outlook.com outlook.de outlook.es outlook.fr outlook.jp pm.me
   posteo.de posteo.net proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com rogers.com
   sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com sohu.com sympatico.ca t-online.de talktalk.net telenet.be
   telus.net terra.com.br tiscali.it tuta.com tuta.io tutanota.com tutanota.de ukr.net uol.com.br verizon.net virgilio.it
   virginmedia.com vodafone.de wanadoo.fr web.de windowslive.com wp.pl ya.ru yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com
   yahoo.com.au yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.in yahoo.it yandex.com yandex.ru yeah.net ymail.com ziggo.nl zoho.com`
    .split(/\s+/)
    .filter((domain) => domain !== ''),
);
