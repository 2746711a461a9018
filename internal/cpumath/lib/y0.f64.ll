@heddle_str_4d245c06339cc462_9 = internal constant [9 x i8] c"\78\38\36\2D\36\34\2D\76\33", align 1
@heddle_var_875335b876afb178_23 = internal constant [4 x [4 x [24 x double]]] [[4 x [24 x double]] [[24 x double] [double 0x3FE87C7FDBD7B8F0, double 0xBFDC29C9EE970C6C, double 0xBFC4CF35C9186573, double 0x3FABBEF26175DC99, double 0x3F839C35B951BD44, double 0xBF625BF4E848FCB3, double 0xBF30E7C09D3448D8, double 0x3F085E7B15FBE6C2, double 0x3ED097AB65860A56, double 0xBEA36FD687971099, double 0xBE64F91C672D1CCC, double 0x3E34B03438260C69, double 0x3DF279A1FF635C7B, double 0xBDBF7974782F95CF, double 0xBD77F799BC8AD62A, double 0x3D41F683885743A4, double 0x3CF7D71F7061BFFE, double 0xBCBFE6F91C53C55E, double 0xBC72C16C889B3A24, double 0x3C36AA8F6B1B183F, double 0x3BE7A7CE1EA9A7C2, double 0xBBAA15F40A6A0F9E, double 0x0000000000000000, double 0x3FF0000000000000], [24 x double] [double 0xBFDBF6BA0F6116E5, double 0x3FC50C9F099730E6, double 0x3FA300593965A509, double 0xBF8A2D3C6BCBC941, double 0xBF53D89BD6088853, double 0x3F3915F2A762DBBC, double 0x3EF6519523866787, double 0xBEDA00DC27C39BCE, double 0xBE8F796140465E09, double 0x3E70FBC933D5D957, double 0x3E1E7281735E4981, double 0xBDFE94A04A264AA8, double 0xBDA574E4CD7428BF, double 0x3D8424D6C1BFA2C7, double 0x3D27014EE1403FE7, double 0xBD0444A437473725, double 0xBCA36364E73ED3F3, double 0x3C801670B2569AAB, double 0x3C1A5B18FA1B4C7E, double 0xBBF4A9E13774864D, double 0xBB8D3544CD26D999, double 0x3B65B634D4EB4960, double 0x40033D152E971B40, double 0xBCA0F539D7DA258E], [24 x double] [double 0x3FD5DAD2F2A92406, double 0x3F9B5F2D07892E89, double 0xBFACDADE6BF3E93E, double 0xBF3A4AA0C66E5F8A, double 0x3F64932325A4A145, double 0xBEF16E2B05410CC3, double 0xBF0C0CE1EEF3FFC1, double 0x3EA2EBC063B39799, double 0x3EA69E03E78E41BB, double 0xBE40C7B568B5BC11, double 0xBE382E6EA53EB1B9, double 0x3DD1FCDD550638A0, double 0x3DC26C8C8AD55EF8, double 0xBD5A8F6A1EEF23B5, double 0xBD4508EF0436A79B, double 0x3CDCF7F050AEE1A7, double 0x3CC2ABC97180D7F8, double 0xBC586B241E832427, double 0xBC3A82DF0C8CD037, double 0x3BD06E0531B61501, double 0x3BAE7BCB2460F0D7, double 0xBB41E952B3A42F2F, double 0x4016148F5B2C2E45, double 0x3C975054CD60A517], [24 x double] [double 0x3FD3347FAF45B2A3, double 0x3F732E4BDB5A9680, double 0xBFC33F759179E667, double 0x3F7A32D40BB7272C, double 0x3F88256C6008F1BC, double 0xBF436FB1B8E86D88, double 0xBF371FD3588FB2AE, double 0x3EF2101A5EE69460, double 0x3ED7BE2E0EE018B8, double 0xBE91500CB2745F67, double 0xBE6EA3D81941647E, double 0x3E24A9CFA80A62CD, double 0x3DFB402752C929E5, double 0xBDB0FC79E2BCE118, double 0xBD81BF6028D1DA02, double 0x3D347FC099E9502A, double 0x3D01ACAC7AC05AE6, double 0xBCB2FA999C5FA182, double 0xBC7BCCBC0661B48F, double 0x3C2BDACEE498EDDC, double 0x3BF182C7CF9FA4FC, double 0xBBA07144C34F6E12, double 0x0000000000000000, double 0x3FF0000000000000]], [4 x [24 x double]] [[24 x double] [double 0x3FDC29C9EE970C6C, double 0xBFBD6A5095FA9BE6, double 0xBFA86835F86C5DFE, double 0x3F833000FC6A82E6, double 0x3F5E17892F85C7CC, double 0xBF32EFA10EDD6A1C, double 0xBF03185522F7FE6B, double 0x3ED4054DEB8FA0AE, double 0x3E9D8836CFA51FEA, double 0xBE6A869A7565DE06, double 0xBE2EBAD57CE731FB, double 0x3DF82313EE8EEFFC, double 0x3DB6F9AB317DFC90, double 0xBD80082561A5647B, double 0xBD39DEBDCAB770C4, double 0x3D003CEF66E0142A, double 0x3CB6B8A515C3E2EC, double 0xBC79EAF3937E5643, double 0xBC2FFEA871AD2076, double 0x3BF0B860B94F141F, double 0x3BA245B5EAC66AD0, double 0xBB61A2909C6C79CC, double 0x0000000000000000, double 0x3FF0000000000000], [24 x double] [double 0xBFC164CF26D3070E, double 0x3FA017BE191153D9, double 0x3F810DD5F5A8F46D, double 0xBF5DB39798E7FF34, double 0xBF2B5F255A4F1157, double 0x3F067DAC37A4948D, double 0x3EC8B6340D1ADF46, double 0xBEA335ECBA70DC2A, double 0xBE5CE38224F807FB, double 0x3E354D46B68DE695, double 0x3DE7BCDA9BF80B53, double 0xBDC0A4A5B8BBE64A, double 0xBD6CF70E299621DD, double 0x3D435A8D23A27DB1, double 0x3CEB4CE572503BB9, double 0xBCC16BB4C27703F1, double 0xBC647B14648BDC27, double 0x3C3902C77A5919BF, double 0x3BD90ACE92C2B762, double 0xBBAD50B7ED4998F4, double 0xBB49343E66CA1C14, double 0x3B1C573023BB888C, double 0x400EA75575AF6F09, double 0xBCA60155A9D1B256], [24 x double] [double 0xBFACB6482F471469, double 0x3FA47EA108F30F68, double 0xBF6F6411F2515843, double 0xBF5AD24A6DBD143B, double 0x3F2DD000BD19E49F, double 0x3EFDF35D0CA03AB7, double 0xBED3704117C7D466, double 0xBE93554A521C8CBE, double 0x3E6C5A9FEA616AE8, double 0x3E206ED319608588, double 0xBDFB252C8984AC03, double 0xBDA3CC361CA2B269, double 0x3D828F4CFDBAF39A, double 0x3D21B69E2D882058, double 0xBD0320264B993A63, double 0xBC98463B0BC661A6, double 0x3C7ED945F8FF273D, double 0x3C09F41A13B34E06, double 0xBBF4076DBF9447BA, double 0xBB75C7C72B183496, double 0x3B653486E7D813AD, double 0x3ADC2A1EC9E2F3A3, double 0x400EA75575AF6F09, double 0xBCA60155A9D1B256], [24 x double] [double 0x3FA5F9914624C52C, double 0xBF8262C9EF09C19A, double 0xBF7650AF7EEABF47, double 0x3F53C52E11340918, double 0x3F21030137C7248F, double 0xBF02CE261CEBCCF3, double 0xBEB67C235480D3AA, double 0x3EA198B196E8E105, double 0x3E3C276D45030F28, double 0xBE344D8E1AF03C0F, double 0xBD91C70D15E769B8, double 0x3DC01FFC7212EE8B, double 0xBD46221FAD78987B, double 0xBD42D73703584DA0, double 0x3CD5811040F26217, double 0x3CC0EFC3AD97F4BB, double 0xBC57E2C07A8D328B, double 0xBC38348EF2F944C1, double 0x3BD30015B2A00FC1, double 0x3BAC31D41387F8AF, double 0xBB472FBE5923982E, double 0xBB1B1137CF60112F, double 0x401C0FF5F3B47250, double 0xBC9B226D9D243827]], [4 x [24 x double]] [[24 x double] [double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000], [24 x double] [double 0xBFD92F2A2E3BC7D7, double 0xBFB26622EA2E19B8, double 0x3FB0B103D54624E4, double 0x3F62A058A0C0A3C3, double 0xBF62A9DC4EAE1441, double 0xBF284A4E000B89F6, double 0x3F15DF99C37D18E1, double 0xBEDEA4228C4D0ADF, double 0x3EC009F91295E444, double 0xBEAADF4E225B092A, double 0x3E908E5A24062FCC, double 0xBE73DFE8D27DE510, double 0x3E5893820D516341, double 0xBE3E96BBD1AE51E6, double 0x3E2309C242523D68, double 0xBE07D942BB6B6466, double 0x3DEEF232FD44FB01, double 0xBDD3856FA7B7A8B5, double 0x3DB2F0452E91A343, double 0xBD97F303BE265C28, double 0x3D914A0180709385, double 0xBD7610F90729D363, double 0x400FA9534D98569C, double 0xBC9F06AE7804384E], [24 x double] [double 0xBFD2F183810274FE, double 0x3FC230C424C4BA6D, double 0x3F9A7560541DF4A1, double 0xBF8A6D544038A01D, double 0xBF4224C0ECB0CE34, double 0x3F3932F8169A04EA, double 0x3EDF34725852E2BE, double 0xBEDB8F44F5018324, double 0x3E4208418115A63F, double 0x3E6F15CA07EDFB5D, double 0x3E15CBBC2810BAE9, double 0xBE081577393D22A0, double 0x3DCA165E76BE6C4E, double 0xBD9BAAE0A00D8FCA, double 0x3D7C6CA73216E420, double 0xBD564A226C0D6877, double 0x3D30712A67FBF0B2, double 0xBD08E83E08F4F7AC, double 0x3CE29C50CAE5773B, double 0xBCBC6A0CC7B01AEA, double 0x3C9B3C5026DA8029, double 0xBC74E15AC688F4AA, double 0x400FA9534D98569C, double 0xBC9F06AE7804384E], [24 x double] [double 0x3FD34CCB641FBC8D, double 0xBF8A4CF031DA27D5, double 0xBFA8FA1BD6222EBC, double 0x3F64F7C111C78313, double 0x3F6247693FCA5EEE, double 0xBF1E88B92C208C80, double 0xBF08E1AD1CE51E74, double 0x3EC3463A44C3DD2E, double 0x3EA40B13E786526B, double 0xBE5CD08AECF93E06, double 0xBE3522DFD9EB944E, double 0x3DEB8A054BF55370, double 0x3DC04DC993ABB21F, double 0xBD748E4BF84773C7, double 0xBD411C1DC798EC27, double 0x3CEF6532A9253514, double 0x3CC54FB2903F4E9C, double 0xBC83D59DBD47840F, double 0x3C3AE83D6B246808, double 0xBC18561560F44633, double 0x3BF15E2278C5ECDA, double 0xBBC25900A9EF271B, double 0x401C581DC4E72103, double 0xBC99774A495F56CF]], [4 x [24 x double]] [[24 x double] [double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000], [24 x double] [double 0x3FD9E1A80F14796C, double 0xBFC5A573911B9CB2, double 0xBF9974DB4BBC5E1D, double 0x3F81F3B822557314, double 0x3F61BC95040EE31A, double 0xBF476AB700F94FA3, double 0x3F1AA2115D2CCA23, double 0xBF029D58D17D0D06, double 0x3EEDC32980B4BB51, double 0xBED3F5A3C8574DAB, double 0x3EBA6F27B3EC3AA7, double 0xBEA1B9F591CC1307, double 0x3E87C41B2BA5EB1F, double 0xBE6FCCB80ED01486, double 0x3E552B59298D969F, double 0xBE3C4B026478FBC8, double 0x3E23C5290C295197, double 0xBE0A67287AA0CE8D, double 0x3DE8DF4628266BC3, double 0xBDD09AE1431CCCE0, double 0x3DCC90EB60904A1E, double 0xBDB30F1337564731, double 0x400193BED4DFF243, double 0xBC8BD1E50D219BFD], [24 x double] [double 0xBFD6061C9E28E6DE, double 0xBF8CC11315ECDBC5, double 0x3FAB8E3538E08B5F, double 0xBF2FE4CCA6488F03, double 0xBF633759D07A6177, double 0x3EF325209227C164, double 0x3F0B537C36E5A8A8, double 0xBEAD50F207A47BD7, double 0xBEA3E900E7ACAAE8, double 0xBE26CB211E5B1555, double 0x3E4051FE655EE97A, double 0xBE016D4C8ABC96EF, double 0x3DCF48B83FFDFB99, double 0xBDB36AE4EFD02607, double 0x3D909FAC3FC16460, double 0xBD69CC1D76C532ED, double 0x3D44A9D210C77C4C, double 0xBD20A91D1914F7D4, double 0x3CFA10C303B1B05C, double 0xBCD4EB237B769B04, double 0x3CB58B87F31F0E76, double 0xBC91471736CF6172, double 0x4015B7FE4E87B02E, double 0x3CBDFE7BAC228E8C], [24 x double] [double 0xBFD35EE66725BB42, double 0x3F91B40F150CEE4F, double 0x3FC2D13BB0487016, double 0xBF836515FCC5B861, double 0xBF86F389EF4DF155, double 0x3F4618FF9C0D6F55, double 0x3F35DCAFCF9E68B2, double 0xBEF2D7D80C8D29A8, double 0xBED6A2C739EF9684, double 0x3E91B9965E8B4290, double 0x3E6D2A051324EDEA, double 0xBE24642C593E038C, double 0xBDFA95664DB51CC3, double 0x3DB1D348E4BA172F, double 0x3D80147D86BD6014, double 0xBD2EEFD6402C5C4F, double 0xBD06C1C2583C599A, double 0x3CC6657F4C08CF05, double 0xBC80412753AB955A, double 0x3C5ECE3C78BCC368, double 0xBC3745E8351B6C4B, double 0x3C09C36EECB384D4, double 0x0000000000000000, double 0x3FF0000000000000]]], align 16
@heddle_var_9e49150a9245d4d7_9 = internal constant [6 x double] [double 0xBDA8FA49A0861A9B, double 0x3E21EE9D7B4E3F05, double 0xBE927E4F7EAC4BC6, double 0x3EFA01A019C844F5, double 0xBF56C16C16C14F91, double 0x3FA555555555554B], align 16
@heddle_var_280da80ae012092e_9 = internal constant [6 x double] [double 0x3DE5D8FD1FD19CCD, double 0xBE5AE5E5A9291F5D, double 0x3EC71DE3567D48A1, double 0xBF2A01A019BFDF03, double 0x3F8111111110F7D0, double 0xBFC5555555555548], align 16
@heddle_var_4db122aba869ecd3_9 = internal constant [20 x i64] [i64 1, i64 5040379952546458195, i64 -554312585572664447, i64 -5276763892624187261, i64 -242412250269775165, i64 7946843935494350272, i64 905889640498799673, i64 -271387810574676355, i64 -3385462365541201655, i64 -3226582509936509822, i64 8296664548579374057, i64 4109744767560208502, i64 4607516669194743839, i64 -2423460969061230018, i64 -2707510419574615186, i64 -7022098299024845734, i64 -1562901285013036298, i64 8795094592981902804, i64 -2884908082597807600, i64 -6051042886442100905], align 16

define double @heddle.math.y0.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @heddle_heddle_dsl_besselY0(double %x.0)
	ret double %2
}

define internal double @heddle_heddle_dsl_besselY0(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %2, label %3, label %14

3:
	ret double 0x7FF8000000000001

4:
	%5 = call double @heddle_heddle_dsl_logarithm(double %x.0)
	%6 = fmul contract double 0x3FE45F306DC9C883, %5
	%7 = call double @heddle_heddle_dsl_besselPiece(i64 0, double %x.0)
	%8 = fmul contract double %6, %7
	%9 = fmul contract double %x.0, %x.0
	%10 = fdiv double %9, 0x4000000000000000
	%11 = fsub contract double %10, 0x3FF0000000000000
	%12 = call double @heddle_heddle_dsl_fitY0Near(double %11)
	%13 = fadd contract double %8, %12
	ret double %13

14:
	%15 = fcmp olt double %x.0, 0x4000000000000000
	br i1 %15, label %4, label %18

16:
	%17 = call double @heddle_heddle_dsl_besselPiece(i64 2, double %x.0)
	ret double %17

18:
	%19 = fcmp olt double %x.0, 0x4020000000000000
	br i1 %19, label %16, label %20

20:
	%21 = call { double, double } @heddle_heddle_dsl_besselFar(i64 0, double %x.0)
	%22 = extractvalue { double, double } %21, 0
	%23 = extractvalue { double, double } %21, 1
	ret double %23
}

define internal double @heddle_heddle_dsl_logarithm(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	br label %3

2:
	unreachable

3:
	%4 = call double @heddle_math_Log(double %x.0)
	ret double %4

5:
	unreachable

6:
	unreachable
}

define internal double @heddle_heddle_dsl_besselPiece(i64 %which.0, double %x.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.1)
	%3 = fcmp olt double %2, 0x43E0000000000000
	%4 = fptosi double %x.1 to i64
	%5 = select i1 %3, i64 %4, i64 -9223372036854775808
	%6 = ashr i64 %5, 1
	%7 = and i64 %6, 3
	%8 = mul i64 2, %7
	%9 = add i64 %8, 1
	%10 = sitofp i64 %9 to double
	%11 = fsub contract double %x.1, %10
	br label %12

12:
	%13 = phi double [ 0x0000000000000000, %1 ], [ %25, %16 ]
	%14 = phi i64 [ 21, %1 ], [ %26, %16 ]
	%15 = icmp sge i64 %14, 0
	br i1 %15, label %16, label %27

16:
	%17 = fmul contract double %13, %11
	%18 = icmp uge i64 %which.0, 4
	%19 = getelementptr inbounds [4 x [4 x [24 x double]]], ptr @heddle_var_875335b876afb178_23, i64 0, i64 %which.0
	%20 = icmp uge i64 %7, 4
	%21 = getelementptr inbounds [4 x [24 x double]], ptr %19, i64 0, i64 %7
	%22 = icmp uge i64 %14, 24
	%23 = getelementptr inbounds [24 x double], ptr %21, i64 0, i64 %14
	%24 = load double, ptr %23, align 8
	%25 = fadd contract double %17, %24
	%26 = sub i64 %14, 1
	br label %12

27:
	%28 = icmp uge i64 %which.0, 4
	%29 = getelementptr inbounds [4 x [4 x [24 x double]]], ptr @heddle_var_875335b876afb178_23, i64 0, i64 %which.0
	%30 = icmp uge i64 %7, 4
	%31 = getelementptr inbounds [4 x [24 x double]], ptr %29, i64 0, i64 %7
	%32 = getelementptr inbounds [24 x double], ptr %31, i64 0, i64 22
	%33 = load double, ptr %32, align 8
	%34 = icmp uge i64 %which.0, 4
	%35 = getelementptr inbounds [4 x [4 x [24 x double]]], ptr @heddle_var_875335b876afb178_23, i64 0, i64 %which.0
	%36 = icmp uge i64 %7, 4
	%37 = getelementptr inbounds [4 x [24 x double]], ptr %35, i64 0, i64 %7
	%38 = getelementptr inbounds [24 x double], ptr %37, i64 0, i64 23
	%39 = load double, ptr %38, align 8
	%40 = fcmp oeq double %39, 0x3FF0000000000000
	br i1 %40, label %41, label %42

41:
	ret double %13

42:
	%43 = fsub double %x.1, %33
	%44 = fsub contract double %43, %39
	%45 = fmul contract double %13, %44
	ret double %45
}

define internal double @heddle_heddle_dsl_fitY0Near(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0x3C259FD8A1E65A80, %t.0
	%3 = fsub contract double %2, 0x3CA3C4DF80CC1783
	%4 = fmul contract double %3, %t.0
	%5 = fadd contract double %4, 0x3D1DBA0AE8875837
	%6 = fmul contract double %5, %t.0
	%7 = fsub contract double %6, 0x3D91FDEC291BD3BB
	%8 = fmul contract double %7, %t.0
	%9 = fadd contract double %8, 0x3E0110DCEBF17C68
	%10 = fmul contract double %9, %t.0
	%11 = fsub contract double %10, 0x3E6881022FFF2F76
	%12 = fmul contract double %11, %t.0
	%13 = fadd contract double %12, 0x3EC96B4C3F0920E4
	%14 = fmul contract double %13, %t.0
	%15 = fsub contract double %14, 0x3F21D5A4DC810FBA
	%16 = fmul contract double %15, %t.0
	%17 = fadd contract double %16, 0x3F6E9557D809C7F9
	%18 = fmul contract double %17, %t.0
	%19 = fsub contract double %18, 0x3FAAC0510AC8DF2A
	%20 = fmul contract double %19, %t.0
	%21 = fadd contract double %20, 0x3FCE9616CD862F24
	%22 = fmul contract double %21, %t.0
	%23 = fadd contract double %22, 0x3FCC52A45A4D5F55
	ret double %23
}

define internal { double, double } @heddle_heddle_dsl_besselFar(i64 %order.0, double %x.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp ogt double %x.1, 0x7FEFFFFFFFFFFFFF
	br i1 %2, label %3, label %6

3:
	%4 = insertvalue { double, double } poison, double 0x0000000000000000, 0
	%5 = insertvalue { double, double } %4, double 0x0000000000000000, 1
	ret { double, double } %5

6:
	%7 = fdiv double 0x4020000000000000, %x.1
	%8 = fmul contract double 0x4000000000000000, %7
	%9 = fmul contract double %8, %7
	%10 = fsub contract double %9, 0x3FF0000000000000
	%11 = call { double, double } @heddle_math_Sincos(double %x.1)
	%12 = extractvalue { double, double } %11, 0
	%13 = extractvalue { double, double } %11, 1
	%14 = fsub contract double %12, %13
	%15 = fmul contract double %14, 0x3FE6A09E667F3BCD
	%16 = fadd contract double %12, %13
	%17 = fmul contract double %16, 0x3FE6A09E667F3BCD
	%18 = call double @heddle_heddle_dsl_fitModulus0(double %10)
	%19 = call double @heddle_heddle_dsl_fitPhase0(double %10)
	%20 = icmp eq i64 %order.0, 1
	br i1 %20, label %21, label %25

21:
	%22 = fneg contract double %17
	%23 = call double @heddle_heddle_dsl_fitModulus1(double %10)
	%24 = call double @heddle_heddle_dsl_fitPhase1(double %10)
	br label %25

25:
	%26 = phi double [ %15, %6 ], [ %22, %21 ]
	%27 = phi double [ %17, %6 ], [ %15, %21 ]
	%28 = phi double [ %18, %6 ], [ %23, %21 ]
	%29 = phi double [ %19, %6 ], [ %24, %21 ]
	%30 = call double @llvm.sqrt.f64(double %x.1)
	%31 = fdiv double %28, %30
	%32 = fdiv double %29, %x.1
	%33 = call { double, double } @heddle_math_Sincos(double %32)
	%34 = extractvalue { double, double } %33, 0
	%35 = extractvalue { double, double } %33, 1
	%36 = fmul contract double %27, %35
	%37 = fmul contract double %26, %34
	%38 = fsub contract double %36, %37
	%39 = fmul contract double %31, %38
	%40 = fmul contract double %26, %35
	%41 = fmul contract double %27, %34
	%42 = fadd contract double %40, %41
	%43 = fmul contract double %31, %42
	%44 = insertvalue { double, double } poison, double %39, 0
	%45 = insertvalue { double, double } %44, double %43, 1
	ret { double, double } %45
}

define internal double @heddle_math_Log(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @heddle_math_log(double %x.0)
	ret double %2
}

declare double @llvm.fabs.f64(double %0)

define internal { double, double } @heddle_math_Sincos(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp oeq double %x.0, 0x0000000000000000
	br i1 %2, label %3, label %9

3:
	%4 = insertvalue { double, double } poison, double %x.0, 0
	%5 = insertvalue { double, double } %4, double 0x3FF0000000000000, 1
	ret { double, double } %5

6:
	%7 = insertvalue { double, double } poison, double 0x7FF8000000000001, 0
	%8 = insertvalue { double, double } %7, double 0x7FF8000000000001, 1
	ret { double, double } %8

9:
	%10 = fcmp uno double %x.0, %x.0
	br i1 %10, label %6, label %13

11:
	%12 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %12, label %21, label %23

13:
	%14 = icmp sge i64 0, 0
	%15 = fcmp oeq double %x.0, 0x7FF0000000000000
	%16 = and i1 %14, %15
	%17 = icmp sle i64 0, 0
	%18 = fcmp oeq double %x.0, 0xFFF0000000000000
	%19 = and i1 %17, %18
	%20 = or i1 %16, %19
	br i1 %20, label %6, label %11

21:
	%22 = fneg contract double %x.0
	br label %23

23:
	%24 = phi double [ %x.0, %11 ], [ %22, %21 ]
	%25 = phi i1 [ false, %11 ], [ true, %21 ]
	%26 = fcmp oge double %24, 0x41C0000000000000
	br i1 %26, label %27, label %35

27:
	%28 = call { i64, double } @heddle_math_trigReduce(double %24)
	%29 = extractvalue { i64, double } %28, 0
	%30 = extractvalue { i64, double } %28, 1
	br label %31

31:
	%32 = phi i64 [ %29, %27 ], [ %55, %52 ]
	%33 = phi double [ %30, %27 ], [ %61, %52 ]
	%34 = icmp ugt i64 %32, 3
	br i1 %34, label %62, label %66

35:
	%36 = fmul contract double %24, 0x3FF45F306DC9C883
	%37 = fcmp oge double %36, 0x43E0000000000000
	%38 = fsub double %36, 0x43E0000000000000
	%39 = select i1 %37, double %38, double %36
	%40 = call double @llvm.fabs.f64(double %39)
	%41 = fcmp olt double %40, 0x43E0000000000000
	%42 = fptosi double %39 to i64
	%43 = select i1 %41, i64 %42, i64 -9223372036854775808
	%44 = select i1 %37, i64 -9223372036854775808, i64 0
	%45 = or i64 %43, %44
	%46 = uitofp i64 %45 to double
	%47 = and i64 %45, 1
	%48 = icmp eq i64 %47, 1
	br i1 %48, label %49, label %52

49:
	%50 = add i64 %45, 1
	%51 = fadd contract double %46, 0x3FF0000000000000
	br label %52

52:
	%53 = phi i64 [ %45, %35 ], [ %50, %49 ]
	%54 = phi double [ %46, %35 ], [ %51, %49 ]
	%55 = and i64 %53, 7
	%56 = fmul contract double %54, 0x3FE921FB40000000
	%57 = fsub contract double %24, %56
	%58 = fmul contract double %54, 0x3E64442D00000000
	%59 = fsub contract double %57, %58
	%60 = fmul contract double %54, 0x3CE8469898CC5170
	%61 = fsub contract double %59, %60
	br label %31

62:
	%63 = sub i64 %32, 4
	%64 = xor i1 %25, true
	%65 = xor i1 false, true
	br label %66

66:
	%67 = phi i1 [ %25, %31 ], [ %64, %62 ]
	%68 = phi i1 [ false, %31 ], [ %65, %62 ]
	%69 = phi i64 [ %32, %31 ], [ %63, %62 ]
	%70 = icmp ugt i64 %69, 1
	br i1 %70, label %71, label %73

71:
	%72 = xor i1 %68, true
	br label %73

73:
	%74 = phi i1 [ %68, %66 ], [ %72, %71 ]
	%75 = fmul contract double %33, %33
	%76 = fmul contract double 0x3FE0000000000000, %75
	%77 = fsub contract double 0x3FF0000000000000, %76
	%78 = fmul contract double %75, %75
	%79 = getelementptr inbounds [6 x double], ptr @heddle_var_9e49150a9245d4d7_9, i64 0, i64 0
	%80 = load double, ptr %79, align 8
	%81 = fmul contract double %80, %75
	%82 = getelementptr inbounds [6 x double], ptr @heddle_var_9e49150a9245d4d7_9, i64 0, i64 1
	%83 = load double, ptr %82, align 8
	%84 = fadd contract double %81, %83
	%85 = fmul contract double %84, %75
	%86 = getelementptr inbounds [6 x double], ptr @heddle_var_9e49150a9245d4d7_9, i64 0, i64 2
	%87 = load double, ptr %86, align 8
	%88 = fadd contract double %85, %87
	%89 = fmul contract double %88, %75
	%90 = getelementptr inbounds [6 x double], ptr @heddle_var_9e49150a9245d4d7_9, i64 0, i64 3
	%91 = load double, ptr %90, align 8
	%92 = fadd contract double %89, %91
	%93 = fmul contract double %92, %75
	%94 = getelementptr inbounds [6 x double], ptr @heddle_var_9e49150a9245d4d7_9, i64 0, i64 4
	%95 = load double, ptr %94, align 8
	%96 = fadd contract double %93, %95
	%97 = fmul contract double %96, %75
	%98 = getelementptr inbounds [6 x double], ptr @heddle_var_9e49150a9245d4d7_9, i64 0, i64 5
	%99 = load double, ptr %98, align 8
	%100 = fadd contract double %97, %99
	%101 = fmul contract double %78, %100
	%102 = fadd contract double %77, %101
	%103 = fmul contract double %33, %75
	%104 = getelementptr inbounds [6 x double], ptr @heddle_var_280da80ae012092e_9, i64 0, i64 0
	%105 = load double, ptr %104, align 8
	%106 = fmul contract double %105, %75
	%107 = getelementptr inbounds [6 x double], ptr @heddle_var_280da80ae012092e_9, i64 0, i64 1
	%108 = load double, ptr %107, align 8
	%109 = fadd contract double %106, %108
	%110 = fmul contract double %109, %75
	%111 = getelementptr inbounds [6 x double], ptr @heddle_var_280da80ae012092e_9, i64 0, i64 2
	%112 = load double, ptr %111, align 8
	%113 = fadd contract double %110, %112
	%114 = fmul contract double %113, %75
	%115 = getelementptr inbounds [6 x double], ptr @heddle_var_280da80ae012092e_9, i64 0, i64 3
	%116 = load double, ptr %115, align 8
	%117 = fadd contract double %114, %116
	%118 = fmul contract double %117, %75
	%119 = getelementptr inbounds [6 x double], ptr @heddle_var_280da80ae012092e_9, i64 0, i64 4
	%120 = load double, ptr %119, align 8
	%121 = fadd contract double %118, %120
	%122 = fmul contract double %121, %75
	%123 = getelementptr inbounds [6 x double], ptr @heddle_var_280da80ae012092e_9, i64 0, i64 5
	%124 = load double, ptr %123, align 8
	%125 = fadd contract double %122, %124
	%126 = fmul contract double %103, %125
	%127 = fadd contract double %33, %126
	%128 = icmp eq i64 %69, 1
	br i1 %128, label %129, label %133

129:
	br label %130

130:
	%131 = phi double [ %127, %133 ], [ %102, %129 ]
	%132 = phi double [ %102, %133 ], [ %127, %129 ]
	br i1 %74, label %135, label %137

133:
	%134 = icmp eq i64 %69, 2
	br i1 %134, label %129, label %130

135:
	%136 = fneg contract double %132
	br label %137

137:
	%138 = phi double [ %132, %130 ], [ %136, %135 ]
	br i1 %67, label %139, label %141

139:
	%140 = fneg contract double %131
	br label %141

141:
	%142 = phi double [ %131, %137 ], [ %140, %139 ]
	%143 = insertvalue { double, double } poison, double %142, 0
	%144 = insertvalue { double, double } %143, double %138, 1
	ret { double, double } %144
}

define internal double @heddle_heddle_dsl_fitModulus0(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0x3CEE5AF52030BBB7, %t.0
	%3 = fsub contract double %2, 0x3D04D7C4B567C2B1
	%4 = fmul contract double %3, %t.0
	%5 = fadd contract double %4, 0x3D103D2DD24CA75A
	%6 = fmul contract double %5, %t.0
	%7 = fsub contract double %6, 0x3D2C54ECB984966F
	%8 = fmul contract double %7, %t.0
	%9 = fadd contract double %8, 0x3D4D4DA0D0832F37
	%10 = fmul contract double %9, %t.0
	%11 = fsub contract double %10, 0x3D6D40AE44547F9F
	%12 = fmul contract double %11, %t.0
	%13 = fadd contract double %12, 0x3D90604FAB8AC2B0
	%14 = fmul contract double %13, %t.0
	%15 = fsub contract double %14, 0x3DB549BC67144368
	%16 = fmul contract double %15, %t.0
	%17 = fadd contract double %16, 0x3DE0844B94FA4F04
	%18 = fmul contract double %17, %t.0
	%19 = fsub contract double %18, 0x3E100E9AB1E55905
	%20 = fmul contract double %19, %t.0
	%21 = fadd contract double %20, 0x3E4504F2AA33D90C
	%22 = fmul contract double %21, %t.0
	%23 = fsub contract double %22, 0x3E84C1305AF7E81F
	%24 = fmul contract double %23, %t.0
	%25 = fadd contract double %24, 0x3ED2E71CC573549D
	%26 = fmul contract double %25, %t.0
	%27 = fsub contract double %26, 0x3F38E883C79CE7CE
	%28 = fmul contract double %27, %t.0
	%29 = fadd contract double %28, 0x3FE9851E56F2953B
	ret double %29
}

define internal double @heddle_heddle_dsl_fitPhase0(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0xBD2571BF402CD707, %t.0
	%3 = fadd contract double %2, 0x3D3C2A566A710D14
	%4 = fmul contract double %3, %t.0
	%5 = fsub contract double %4, 0x3D4314DF589852D1
	%6 = fmul contract double %5, %t.0
	%7 = fadd contract double %6, 0x3D5FD8FAF26053CC
	%8 = fmul contract double %7, %t.0
	%9 = fsub contract double %8, 0x3D801591718E2CE5
	%10 = fmul contract double %9, %t.0
	%11 = fadd contract double %10, 0x3D9DEEDEA6467987
	%12 = fmul contract double %11, %t.0
	%13 = fsub contract double %12, 0x3DBED91F57C52ACD
	%14 = fmul contract double %13, %t.0
	%15 = fadd contract double %14, 0x3DE23F1055E577A7
	%16 = fmul contract double %15, %t.0
	%17 = fsub contract double %16, 0x3E0945CDD5A7B734
	%18 = fmul contract double %17, %t.0
	%19 = fadd contract double %18, 0x3E3556C3E28F6A22
	%20 = fmul contract double %19, %t.0
	%21 = fsub contract double %20, 0x3E674C6EB9948D95
	%22 = fmul contract double %21, %t.0
	%23 = fadd contract double %22, 0x3EA1FBCC34A70566
	%24 = fmul contract double %23, %t.0
	%25 = fsub contract double %24, 0x3EE6C57B2BFDF94A
	%26 = fmul contract double %25, %t.0
	%27 = fadd contract double %26, 0x3F3FCA9766F0E5FA
	%28 = fmul contract double %27, %t.0
	%29 = fsub contract double %28, 0x3FBFDF756B3B84F0
	ret double %29
}

define internal double @heddle_heddle_dsl_fitModulus1(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0xBCF0FB2D08F3E620, %t.0
	%3 = fadd contract double %2, 0x3D0771B1CD502BCC
	%4 = fmul contract double %3, %t.0
	%5 = fsub contract double %4, 0x3D1290AD2D5935DE
	%6 = fmul contract double %5, %t.0
	%7 = fadd contract double %6, 0x3D304DCAAC02E46C
	%8 = fmul contract double %7, %t.0
	%9 = fsub contract double %8, 0x3D50F2DAB509CFA3
	%10 = fmul contract double %9, %t.0
	%11 = fadd contract double %10, 0x3D711C6A5E22EDB1
	%12 = fmul contract double %11, %t.0
	%13 = fsub contract double %12, 0x3D936FE9E8A355CF
	%14 = fmul contract double %13, %t.0
	%15 = fadd contract double %14, 0x3DB9BDDB5AEC3017
	%16 = fmul contract double %15, %t.0
	%17 = fsub contract double %16, 0x3DE47DFAF6CEDE65
	%18 = fmul contract double %17, %t.0
	%19 = fadd contract double %18, 0x3E14B0F0C0F1227B
	%20 = fmul contract double %19, %t.0
	%21 = fsub contract double %20, 0x3E4CCA82472511DC
	%22 = fmul contract double %21, %t.0
	%23 = fadd contract double %22, 0x3E8FBF50C16015A2
	%24 = fmul contract double %23, %t.0
	%25 = fsub contract double %24, 0x3EE20F37ABF594C8
	%26 = fmul contract double %25, %t.0
	%27 = fadd contract double %26, 0x3F52DABBDC47F2BE
	%28 = fmul contract double %27, %t.0
	%29 = fadd contract double %28, 0x3FE991C527E7F063
	ret double %29
}

define internal double @heddle_heddle_dsl_fitPhase1(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0x3D27FAC133301C9C, %t.0
	%3 = fsub contract double %2, 0x3D3FA8BC02DDFE2F
	%4 = fmul contract double %3, %t.0
	%5 = fadd contract double %4, 0x3D45D558531691E7
	%6 = fmul contract double %5, %t.0
	%7 = fsub contract double %6, 0x3D6255F0E1E7EA3E
	%8 = fmul contract double %7, %t.0
	%9 = fadd contract double %8, 0x3D82969A8C83541C
	%10 = fmul contract double %9, %t.0
	%11 = fsub contract double %10, 0x3DA17CB286B5E4F1
	%12 = fmul contract double %11, %t.0
	%13 = fadd contract double %12, 0x3DC247118492874A
	%14 = fmul contract double %13, %t.0
	%15 = fsub contract double %14, 0x3DE602FC20F46242
	%16 = fmul contract double %15, %t.0
	%17 = fadd contract double %16, 0x3E0F3E6B14066AB6
	%18 = fmul contract double %17, %t.0
	%19 = fsub contract double %18, 0x3E3B578790B70C00
	%20 = fmul contract double %19, %t.0
	%21 = fadd contract double %20, 0x3E6F99D22A4C504B
	%22 = fmul contract double %21, %t.0
	%23 = fsub contract double %22, 0x3EAAFA09B72CCF53
	%24 = fmul contract double %23, %t.0
	%25 = fadd contract double %24, 0x3EF4C0898F61B16D
	%26 = fmul contract double %25, %t.0
	%27 = fsub contract double %26, 0x3F544EB77EC8B83C
	%28 = fmul contract double %27, %t.0
	%29 = fadd contract double %28, 0x3FD7EB5A9FDE20FE
	ret double %29
}

declare double @llvm.sqrt.f64(double %0)

define internal double @heddle_math_log(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp uno double %x.0, %x.0
	br i1 %2, label %3, label %7

3:
	ret double %x.0

4:
	ret double 0x7FF8000000000001

5:
	%6 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %6, label %4, label %18

7:
	%8 = icmp sge i64 1, 0
	%9 = fcmp oeq double %x.0, 0x7FF0000000000000
	%10 = and i1 %8, %9
	%11 = icmp sle i64 1, 0
	%12 = fcmp oeq double %x.0, 0xFFF0000000000000
	%13 = and i1 %11, %12
	%14 = or i1 %10, %13
	br i1 %14, label %3, label %5

15:
	%16 = icmp sge i64 -1, 0
	%17 = select i1 %16, double 0x7FF0000000000000, double 0xFFF0000000000000
	ret double %17

18:
	%19 = fcmp oeq double %x.0, 0x0000000000000000
	br i1 %19, label %15, label %20

20:
	%21 = call double @llvm.fabs.f64(double %x.0)
	%22 = fcmp olt double %21, 0x0010000000000000
	%23 = fmul contract double %x.0, 0x4330000000000000
	%24 = select i1 %22, double %23, double %x.0
	%25 = bitcast double %24 to i64
	%26 = and i64 %25, -9218868437227405313
	%27 = lshr i64 %25, 52
	%28 = and i64 %27, 2047
	%29 = select i1 %22, i64 1075, i64 1023
	%30 = sub i64 %28, %29
	%31 = fcmp oeq double %x.0, 0x0000000000000000
	%32 = call double @llvm.fabs.f64(double %x.0)
	%33 = fcmp ueq double %32, 0x7FF0000000000000
	%34 = or i1 %31, %33
	%35 = add i64 -1, 1023
	%36 = shl i64 %35, 52
	%37 = or i64 %26, %36
	%38 = bitcast i64 %37 to double
	%39 = select i1 %34, double %x.0, double %38
	%40 = add i64 %30, 1
	%41 = select i1 %34, i64 0, i64 %40
	%42 = fcmp olt double %39, 0x3FE6A09E667F3BCD
	br i1 %42, label %43, label %46

43:
	%44 = fmul contract double %39, 0x4000000000000000
	%45 = sub i64 %41, 1
	br label %46

46:
	%47 = phi double [ %39, %20 ], [ %44, %43 ]
	%48 = phi i64 [ %41, %20 ], [ %45, %43 ]
	%49 = fsub contract double %47, 0x3FF0000000000000
	%50 = sitofp i64 %48 to double
	%51 = fadd contract double 0x4000000000000000, %49
	%52 = fdiv double %49, %51
	%53 = fmul contract double %52, %52
	%54 = fmul contract double %53, %53
	%55 = fmul contract double %54, 0x3FC2F112DF3E5244
	%56 = fadd contract double 0x3FC7466496CB03DE, %55
	%57 = fmul contract double %54, %56
	%58 = fadd contract double 0x3FD2492494229359, %57
	%59 = fmul contract double %54, %58
	%60 = fadd contract double 0x3FE5555555555593, %59
	%61 = fmul contract double %53, %60
	%62 = fmul contract double %54, 0x3FC39A09D078C69F
	%63 = fadd contract double 0x3FCC71C51D8E78AF, %62
	%64 = fmul contract double %54, %63
	%65 = fadd contract double 0x3FD999999997FA04, %64
	%66 = fmul contract double %54, %65
	%67 = fadd contract double %61, %66
	%68 = fmul contract double 0x3FE0000000000000, %49
	%69 = fmul contract double %68, %49
	%70 = fmul contract double %50, 0x3FE62E42FEE00000
	%71 = fadd contract double %69, %67
	%72 = fmul contract double %52, %71
	%73 = fmul contract double %50, 0x3DEA39EF35793C76
	%74 = fadd contract double %72, %73
	%75 = fsub contract double %69, %74
	%76 = fsub contract double %75, %49
	%77 = fsub contract double %70, %76
	ret double %77
}

define internal { i64, double } @heddle_math_trigReduce(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp olt double %x.0, 0x3FE921FB54442D18
	br i1 %2, label %3, label %6

3:
	%4 = insertvalue { i64, double } poison, i64 0, 0
	%5 = insertvalue { i64, double } %4, double %x.0, 1
	ret { i64, double } %5

6:
	%7 = bitcast double %x.0 to i64
	%8 = lshr i64 %7, 52
	%9 = and i64 %8, 2047
	%10 = sub i64 %9, 1023
	%11 = sub i64 %10, 52
	%12 = xor i64 9218868437227405312, -1
	%13 = and i64 %7, %12
	%14 = or i64 %13, 4503599627370496
	%15 = add i64 %11, 61
	%16 = udiv i64 %15, 64
	%17 = add i64 %11, 61
	%18 = urem i64 %17, 64
	%19 = icmp uge i64 %16, 20
	%20 = getelementptr inbounds [20 x i64], ptr @heddle_var_4db122aba869ecd3_9, i64 0, i64 %16
	%21 = load i64, ptr %20, align 8
	%22 = icmp ult i64 %18, 64
	%23 = shl i64 %21, %18
	%24 = select i1 %22, i64 %23, i64 0
	%25 = add i64 %16, 1
	%26 = icmp uge i64 %25, 20
	%27 = getelementptr inbounds [20 x i64], ptr @heddle_var_4db122aba869ecd3_9, i64 0, i64 %25
	%28 = load i64, ptr %27, align 8
	%29 = sub i64 64, %18
	%30 = icmp ult i64 %29, 64
	%31 = lshr i64 %28, %29
	%32 = select i1 %30, i64 %31, i64 0
	%33 = or i64 %24, %32
	%34 = add i64 %16, 1
	%35 = icmp uge i64 %34, 20
	%36 = getelementptr inbounds [20 x i64], ptr @heddle_var_4db122aba869ecd3_9, i64 0, i64 %34
	%37 = load i64, ptr %36, align 8
	%38 = icmp ult i64 %18, 64
	%39 = shl i64 %37, %18
	%40 = select i1 %38, i64 %39, i64 0
	%41 = add i64 %16, 2
	%42 = icmp uge i64 %41, 20
	%43 = getelementptr inbounds [20 x i64], ptr @heddle_var_4db122aba869ecd3_9, i64 0, i64 %41
	%44 = load i64, ptr %43, align 8
	%45 = sub i64 64, %18
	%46 = icmp ult i64 %45, 64
	%47 = lshr i64 %44, %45
	%48 = select i1 %46, i64 %47, i64 0
	%49 = or i64 %40, %48
	%50 = add i64 %16, 2
	%51 = icmp uge i64 %50, 20
	%52 = getelementptr inbounds [20 x i64], ptr @heddle_var_4db122aba869ecd3_9, i64 0, i64 %50
	%53 = load i64, ptr %52, align 8
	%54 = icmp ult i64 %18, 64
	%55 = shl i64 %53, %18
	%56 = select i1 %54, i64 %55, i64 0
	%57 = add i64 %16, 3
	%58 = icmp uge i64 %57, 20
	%59 = getelementptr inbounds [20 x i64], ptr @heddle_var_4db122aba869ecd3_9, i64 0, i64 %57
	%60 = load i64, ptr %59, align 8
	%61 = sub i64 64, %18
	%62 = icmp ult i64 %61, 64
	%63 = lshr i64 %60, %61
	%64 = select i1 %62, i64 %63, i64 0
	%65 = or i64 %56, %64
	%66 = zext i64 %65 to i128
	%67 = zext i64 %14 to i128
	%68 = mul i128 %66, %67
	%69 = lshr i128 %68, 64
	%70 = trunc i128 %69 to i64
	%71 = trunc i128 %68 to i64
	%72 = zext i64 %49 to i128
	%73 = zext i64 %14 to i128
	%74 = mul i128 %72, %73
	%75 = lshr i128 %74, 64
	%76 = trunc i128 %75 to i64
	%77 = trunc i128 %74 to i64
	%78 = mul i64 %33, %14
	%79 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %77, i64 %70)
	%80 = extractvalue { i64, i1 } %79, 0
	%81 = extractvalue { i64, i1 } %79, 1
	%82 = zext i1 %81 to i64
	%83 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %80, i64 0)
	%84 = extractvalue { i64, i1 } %83, 0
	%85 = extractvalue { i64, i1 } %83, 1
	%86 = zext i1 %85 to i64
	%87 = or i64 %82, %86
	%88 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %78, i64 %76)
	%89 = extractvalue { i64, i1 } %88, 0
	%90 = extractvalue { i64, i1 } %88, 1
	%91 = zext i1 %90 to i64
	%92 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %89, i64 %87)
	%93 = extractvalue { i64, i1 } %92, 0
	%94 = extractvalue { i64, i1 } %92, 1
	%95 = zext i1 %94 to i64
	%96 = or i64 %91, %95
	%97 = lshr i64 %93, 61
	%98 = shl i64 %93, 3
	%99 = lshr i64 %84, 61
	%100 = or i64 %98, %99
	%101 = call i64 @llvm.ctlz.i64(i64 %100, i1 false)
	%102 = add i64 %101, 1
	%103 = sub i64 1023, %102
	%104 = add i64 %101, 1
	%105 = icmp ult i64 %104, 64
	%106 = shl i64 %100, %104
	%107 = select i1 %105, i64 %106, i64 0
	%108 = add i64 %101, 1
	%109 = sub i64 64, %108
	%110 = icmp ult i64 %109, 64
	%111 = lshr i64 %84, %109
	%112 = select i1 %110, i64 %111, i64 0
	%113 = or i64 %107, %112
	%114 = lshr i64 %113, 12
	%115 = shl i64 %103, 52
	%116 = or i64 %114, %115
	%117 = bitcast i64 %116 to double
	%118 = and i64 %97, 1
	%119 = icmp eq i64 %118, 1
	br i1 %119, label %120, label %124

120:
	%121 = add i64 %97, 1
	%122 = and i64 %121, 7
	%123 = fsub contract double %117, 0x3FF0000000000000
	br label %124

124:
	%125 = phi i64 [ %97, %6 ], [ %122, %120 ]
	%126 = phi double [ %117, %6 ], [ %123, %120 ]
	%127 = fmul contract double %126, 0x3FE921FB54442D18
	%128 = insertvalue { i64, double } poison, i64 %125, 0
	%129 = insertvalue { i64, double } %128, double %127, 1
	ret { i64, double } %129
}

declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %0, i64 %1)

declare i64 @llvm.ctlz.i64(i64 %0, i1 %1)


